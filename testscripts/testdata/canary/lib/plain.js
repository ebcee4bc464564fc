// Starting and stopping.

exports.start = function () {
  return "CANARY_start";
};

function stop() {
  return "CANARY_stop";
}

module.exports.stop = stop;
