// Counts clicks on the page.

var counter = 0;

function click() {
  counter++;
}

class Button {
  press() {}
}

if (window.debug) {
  function trace() {}
  var level = 1;
}

(function () { function unseen() {} })();
