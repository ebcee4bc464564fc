#!/usr/bin/env node
/*!
 * tool
 * Copyright(c) 2020 Somebody
 */

'use strict'

/**
 * Sends things over the wire. More text.
 * @module wire
 */

var http = require('http'), fs = require("fs");
const { join } = require('path');

/** Sends. */
function send(a) { return a }

function internal() {}

exports.send = send;
exports.version = '1.0';
exports.receive = function receive(b) {
  return b;
};
module.exports.late = class Late {
  m() {}
};
exports.a = exports.b = () => 1;
exports.undef = void 0;
