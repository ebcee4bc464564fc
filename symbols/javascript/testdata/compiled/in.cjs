"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.helper = exports.main = void 0;
const dep_1 = require("./dep");
function main() { }
exports.main = main;
const helper = () => dep_1.x;
exports.helper = helper;
module.exports = main;
