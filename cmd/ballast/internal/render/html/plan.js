"use strict";
// All text reaches the page as text: no name can become markup.
(function () {
  var plan = JSON.parse(document.getElementById("plan").textContent);
  var page = 100;
  var shown = 0;
  var found = [];

  function make(tag, text, kind) {
    var e = document.createElement(tag);
    if (text !== undefined && text !== null) e.textContent = text;
    if (kind) e.className = kind;
    return e;
  }

  function bytes(n) {
    var units = ["B", "kB", "MB", "GB", "TB", "PB"];
    var i = 0;
    while (n >= 1000 && i < units.length - 1) { n /= 1000; i++; }
    return (n < 10 && i > 0 ? n.toFixed(1) : Math.round(n)) + " " + units[i];
  }

  // The brokers of each rack, racks by name and brokers by id.
  function racks() {
    var byName = {};
    plan.brokers.forEach(function (b) {
      var name = b.rack || "";
      (byName["r" + name] = byName["r" + name] || { name: name, brokers: [] }).brokers.push(b);
    });
    return Object.keys(byName).sort().map(function (key) {
      byName[key].brokers.sort(function (a, b) { return a.id - b.id; });
      return byName[key];
    });
  }

  // The heat map: a column a rack, within it a cell a broker; the fuller the
  // darker. One table shows what is before, one what is after.
  function heat() {
    var measure = document.getElementById("measure").value;
    var columns = racks();
    var most = 1;
    plan.brokers.forEach(function (b) { most = Math.max(most, b.before[measure], b.after[measure]); });
    document.getElementById("heat").replaceChildren(grid(columns, "before", measure, most), grid(columns, "after", measure, most), loads(measure));
  }

  function told(n, measure) { return measure === "bytes" ? bytes(n) : String(n); }

  function shade(cell, n, most) { cell.style.backgroundColor = "rgba(var(--heat), " + (0.5 * n / most).toFixed(3) + ")"; }

  // One table of racks by brokers. Its cells are reached with Tab once, and
  // then with the arrows; each says by itself what it shows.
  function grid(columns, when, measure, most) {
    var table = make("table", null, "heat");
    table.setAttribute("role", "grid");
    table.appendChild(make("caption", "Brokers by rack " + when + ": " + measure));
    var head = table.createTHead().insertRow();
    head.setAttribute("role", "row");
    var deepest = 0;
    columns.forEach(function (rack) {
      var th = make("th", rack.name || "no rack");
      th.scope = "col";
      th.setAttribute("role", "columnheader");
      head.appendChild(th);
      deepest = Math.max(deepest, rack.brokers.length);
    });
    var body = table.createTBody();
    for (var i = 0; i < deepest; i++) {
      var row = body.insertRow();
      row.setAttribute("role", "row");
      columns.forEach(function (rack) { row.appendChild(cellOf(rack, rack.brokers[i], when, measure, most)); });
    }
    table.addEventListener("keydown", arrows);
    var first = table.querySelector("td[data-broker]");
    if (first) first.tabIndex = 0;
    return table;
  }

  function cellOf(rack, b, when, measure, most) {
    var cell = make("td");
    cell.setAttribute("role", "gridcell");
    if (!b) return cell;
    var n = b[when][measure];
    var change = b.after[measure] - b.before[measure];
    var text = told(n, measure);
    if (when === "after" && change !== 0) text += " (" + (change > 0 ? "+" : "-") + told(Math.abs(change), measure) + ")";
    cell.appendChild(make("span", b.id + ":", "quiet"));
    cell.appendChild(document.createTextNode(" " + text));
    cell.dataset.broker = b.id;
    cell.tabIndex = -1;
    cell.setAttribute("aria-label", "broker " + b.id + ", " + (rack.name ? "rack " + rack.name : "no rack") + ", " + when + ": " + text + (measure === "bytes" ? "" : " " + measure));
    shade(cell, n, most);
    return cell;
  }

  function arrows(event) {
    var step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    var from = event.target;
    if (!step || from.tagName !== "TD") return;
    event.preventDefault();
    var rows = from.closest("tbody").rows;
    var y = from.parentNode.sectionRowIndex + step[0];
    var x = from.cellIndex + step[1];
    while (rows[y] && rows[y].cells[x] && rows[y].cells[x].dataset.broker === undefined) { y += step[0]; x += step[1]; }
    var to = rows[y] && rows[y].cells[x];
    if (!to) return;
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  // Each broker in figures, drawn when it is opened, and left open from then on.
  var figures = false;
  function loads(measure) {
    var details = make("details");
    details.appendChild(make("summary", "Each broker in figures"));
    if (figures) details.appendChild(figuresTable(measure));
    details.open = figures;
    details.addEventListener("toggle", function () {
      if (details.open && !figures) details.appendChild(figuresTable(measure));
      figures = figures || details.open;
    });
    return details;
  }

  // Also what a broker holds at most, and what arrives and leaves.
  function figuresTable(measure) {
    var table = make("table");
    table.appendChild(make("caption", "Brokers: " + measure));
    heads(table, ["rack", "broker", "before", "at most", "after", "in", "out"]);
    var body = table.createTBody();
    racks().forEach(function (rack) {
      rack.brokers.forEach(function (b) {
        var row = body.insertRow();
        row.appendChild(make("td", rack.name || "-", "text"));
        var id = make("th", String(b.id));
        id.scope = "row";
        row.appendChild(id);
        ["before", "peak", "after"].forEach(function (when) { row.appendChild(make("td", told(b[when][measure], measure))); });
        row.appendChild(make("td", bytes(b.bytes_in)));
        row.appendChild(make("td", bytes(b.bytes_out)));
      });
    });
    return table;
  }

  // The steps, one under the other, each as wide as it takes time.
  function steps() {
    var total = 0;
    plan.steps.forEach(function (s) { total += s.seconds; });
    var list = document.getElementById("steps");
    var before = 0;
    plan.steps.slice(0, 500).forEach(function (s) {
      var item = make("li");
      var text = s.kind.replaceAll("_", " ");
      if (s.topic) text += " of " + s.topic;
      if (s.moves) text += ", " + s.moves + (s.moves === 1 ? " partition" : " partitions");
      if (s.bytes) text += ", " + s.bytes;
      if (s.seconds) text += ", " + s.time;
      item.appendChild(make("span", text));
      if (total > 0 && s.seconds > 0) {
        var bar = make("span", "", "bar");
        bar.setAttribute("aria-hidden", "true");
        bar.style.marginLeft = (100 * before / total) + "%";
        bar.style.width = (100 * s.seconds / total) + "%";
        item.appendChild(bar);
      }
      before += s.seconds;
      list.appendChild(item);
    });
    if (plan.steps.length > 500) list.appendChild(make("li", (plan.steps.length - 500) + " more steps"));
    if (plan.steps.length === 0) list.replaceWith(make("p", "None."));
  }

  function replicas(list, other, kind) {
    var cell = make("td", null, "text list");
    cell.appendChild(document.createTextNode("["));
    list.forEach(function (b, i) {
      if (i) cell.appendChild(document.createTextNode(" "));
      var different = other.indexOf(b) < 0;
      var sign = kind === "add" ? "+" : "-";
      cell.appendChild(different ? make("span", sign + b, kind) : document.createTextNode(String(b)));
    });
    cell.appendChild(document.createTextNode("]"));
    return cell;
  }

  function heads(table, names) {
    var row = table.createTHead().insertRow();
    names.forEach(function (name) {
      var th = make("th", name);
      th.scope = "col";
      row.appendChild(th);
    });
  }

  // A topic's partitions, some at a time.
  function assignments(topic, into) {
    if (!topic.assignments || topic.assignments.length === 0) return;
    var table = make("table");
    table.appendChild(make("caption", "Partitions"));
    heads(table, ["partition", "before", "after", "why"]);
    var body = table.createTBody();
    var at = 0;
    var button = make("button", "More partitions");
    button.type = "button";
    function next() {
      topic.assignments.slice(at, at + page).forEach(function (a) {
        var row = body.insertRow();
        var id = make("th", String(a[0]));
        id.scope = "row";
        row.appendChild(id);
        row.appendChild(replicas(a[1] || [], a[2], "gone"));
        row.appendChild(replicas(a[2], a[1] || [], "add"));
        row.appendChild(make("td", a[3], "text"));
      });
      at += page;
      button.hidden = at >= topic.assignments.length;
    }
    next();
    button.addEventListener("click", next);
    into.appendChild(table);
    into.appendChild(button);
  }

  function configs(topic, into) {
    if (!topic.config) return;
    var table = make("table");
    table.appendChild(make("caption", "Configs"));
    heads(table, ["name", "before", "after"]);
    var body = table.createTBody();
    topic.config.forEach(function (c) {
      var row = body.insertRow();
      var name = make("th", c.name);
      name.scope = "row";
      row.appendChild(name);
      [[c.before, c.before_source], [c.after, c.after_source]].forEach(function (v) {
        var text = v[0] === null ? "unknown" : v[0];
        if (v[1] && v[1] !== "topic") text += " (" + v[1] + ")";
        row.appendChild(make("td", text, "text list"));
      });
    });
    into.appendChild(table);
  }

  function entry(topic) {
    var details = make("details");
    var head = make("summary");
    head.appendChild(make("strong", topic.name, topic.action));
    var verb = { create: "is created", update: "is changed", delete: "is deleted with all its data" }[topic.action];
    head.appendChild(document.createTextNode(" " + verb + (topic.what ? ": " + topic.what : "")));
    (topic.risks || []).forEach(function (risk) { head.appendChild(make("div", "Risk: " + risk, "warning")); });
    details.appendChild(head);
    var drawn = false;
    details.addEventListener("toggle", function () {
      if (drawn || !details.open) return;
      drawn = true;
      configs(topic, details);
      assignments(topic, details);
    });
    return details;
  }

  function more() {
    var list = document.getElementById("list");
    found.slice(shown, shown + page).forEach(function (topic) { list.appendChild(entry(topic)); });
    shown = Math.min(found.length, shown + page);
    document.getElementById("more").hidden = shown >= found.length;
    document.getElementById("count").textContent = found.length + " of " + plan.topics.length + " topics" +
      (shown < found.length ? ", the first " + shown + " shown" : "");
  }

  function search() {
    var text = document.getElementById("search").value.toLowerCase();
    var action = document.getElementById("action").value;
    found = plan.topics.filter(function (t) {
      var is = action === "" || t.action === action || (action === "risk" && t.risks && t.risks.length > 0);
      return is && t.name.toLowerCase().indexOf(text) >= 0;
    });
    shown = 0;
    document.getElementById("list").replaceChildren();
    more();
  }

  document.getElementById("measure").addEventListener("change", heat);
  document.getElementById("search").addEventListener("input", search);
  document.getElementById("action").addEventListener("change", search);
  document.getElementById("more").addEventListener("click", more);
  heat();
  steps();
  search();
})();
