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

  // The heat map: brokers by rack, before, at most and after; the fuller the darker.
  function heat() {
    var measure = document.getElementById("measure").value;
    var most = 1;
    plan.brokers.forEach(function (b) { most = Math.max(most, b.before[measure], b.peak[measure], b.after[measure]); });
    var brokers = plan.brokers.slice().sort(function (a, b) {
      return (a.rack || "").localeCompare(b.rack || "") || a.id - b.id;
    });
    var table = make("table");
    table.appendChild(make("caption", "Brokers by rack: " + measure));
    var head = table.createTHead().insertRow();
    ["rack", "broker", "before", "at most", "after", "in", "out"].forEach(function (name) {
      var th = make("th", name);
      th.scope = "col";
      head.appendChild(th);
    });
    var body = table.createTBody();
    brokers.forEach(function (b) {
      var row = body.insertRow();
      row.appendChild(make("td", b.rack || "-", "text"));
      var id = make("th", String(b.id));
      id.scope = "row";
      row.appendChild(id);
      ["before", "peak", "after"].forEach(function (when) {
        var n = b[when][measure];
        var cell = make("td", measure === "bytes" ? bytes(n) : String(n));
        cell.style.backgroundColor = "rgba(var(--heat), " + (0.5 * n / most).toFixed(3) + ")";
        row.appendChild(cell);
      });
      row.appendChild(make("td", bytes(b.bytes_in)));
      row.appendChild(make("td", bytes(b.bytes_out)));
    });
    document.getElementById("heat").replaceChildren(table);
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
