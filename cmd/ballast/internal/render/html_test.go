package render

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ballast/planner"
)

func pageOf(t *testing.T, p *planner.Plan) string {
	t.Helper()
	var b strings.Builder
	if err := HTML(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// browsed gives what a browser makes of a page: the text and elements that a
// person has before them after the page's script, and then the given one, ran.
func browsed(t *testing.T, page, script string) string {
	t.Helper()
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("NOT TESTED IN A BROWSER: chromium is not installed")
	}
	file := filepath.Join(t.TempDir(), "plan.html")
	page = strings.Replace(page, "</body>", "<script>"+script+"</script></body>", 1)
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom", "file://"+file)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	dom := string(out)
	return dom[:strings.Index(dom, `<script type="application/json"`)]
}

func TestPageNeedsNothingElse(t *testing.T) {
	page := pageOf(t, sample())
	if m := regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?[^#"'\s]|@import|url\(|https?:`).FindString(page); m != "" {
		t.Errorf("the page refers to %q", m)
	}
}

func TestPageShowsThePlanWithoutItsScript(t *testing.T) {
	page := pageOf(t, sample())
	body := page[strings.Index(page, "<body>"):strings.Index(page, `<script type="application/json"`)]
	for _, want := range []string{"<h1>Destroys data</h1>", "Plan: 1 to create, 1 to change, 1 to delete", "Broker 4 is dead", "1.2 GB to copy"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestABrowserShowsTopicsBrokersAndSteps(t *testing.T) {
	dom := browsed(t, pageOf(t, sample()), `document.querySelectorAll("details").forEach(function (d) { d.open = true; });`)
	for _, want := range []string{
		`3 of 3 topics`, `<strong class="create">audit</strong> is created`, `<strong class="delete">old</strong> is deleted with all its data`,
		`<div class="warning">Risk: old values of a key are deleted</div>`,
		`<td class="text list">[1 2 <span class="add">+5</span>]</td>`, `<td class="text list">[1 2 <span class="gone">-3</span>]</td>`,
		`<caption>Brokers by rack before: replicas</caption>`, `<caption>Brokers by rack after: replicas</caption>`, `<th scope="col" role="columnheader">ラック</th>`, `<td class="text">ラック</td>`,
		`aria-label="broker 1, rack r1, before: 2 replicas"`, `aria-label="broker 1, rack r1, after: 3 (+1) replicas"`,
		`reassign, 1.2 GB`, `<th scope="row">min.insync.replicas</th>`,
	} {
		if !strings.Contains(dom, want) {
			t.Errorf("a person does not see %s", want)
		}
	}
}

func TestABrowserSearchesFiltersAndSwitches(t *testing.T) {
	dom := browsed(t, pageOf(t, sample()), `
		var s = document.getElementById("search"); s.value = "ORD"; s.dispatchEvent(new Event("input"));
		var m = document.getElementById("measure"); m.value = "bytes"; m.dispatchEvent(new Event("change"));`)
	if !strings.Contains(dom, "1 of 3 topics") || strings.Contains(dom, ">audit<") || !strings.Contains(dom, ">orders<") {
		t.Error("the search for ORD does not leave orders alone")
	}
	if !strings.Contains(dom, "Brokers by rack before: bytes") || !strings.Contains(dom, `aria-label="broker 5, rack ラック, after: 1.2 GB (+1.2 GB)"`) {
		t.Error("the heat map does not show bytes")
	}
}

// A grid is one stop of the keyboard; the arrows go from broker to broker.
func TestTheHeatMapIsReachedByKeyboard(t *testing.T) {
	p := sample()
	p.Brokers = append(p.Brokers, planner.Broker{ID: 2, Rack: "r1", After: planner.Load{Leaders: 7}})
	dom := browsed(t, pageOf(t, p), `
		var m = document.getElementById("measure"); m.value = "leaders"; m.dispatchEvent(new Event("change"));
		var grid = document.querySelectorAll(".heat")[1];
		var told = [grid.tHead.rows[0].cells.length + " racks", grid.tBodies[0].rows.length + " deep"];
		grid.querySelector("[tabindex='0']").focus();
		["ArrowDown", "ArrowUp", "ArrowRight", "ArrowRight"].forEach(function (key) {
			told.push(document.activeElement.getAttribute("aria-label"));
			document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: key, bubbles: true }));
		});
		told.push("then broker " + document.activeElement.dataset.broker, grid.querySelectorAll("[tabindex='0']").length + " stop");
		document.getElementById("summary").textContent = told.join(" | ");`)
	want := "3 racks | 2 deep | broker 1, rack r1, after: 1 (-1) leaders | broker 2, rack r1, after: 7 (+7) leaders | broker 1, rack r1, after: 1 (-1) leaders | broker 6, rack r2, after: 0 leaders | then broker 5 | 1 stop"
	if !strings.Contains(dom, want) {
		at := strings.Index(dom, `id="summary"`)
		t.Errorf("a person goes through %s", firstBytes(dom[at:], 500))
	}
}

func TestNamesAreInertInAPage(t *testing.T) {
	p := sample()
	evil := `</script><img src=x onerror="document.title='owned'"><b>x</b>`
	p.Changes[0].Topic, p.Changes[1].Risks[0].Message, p.Brokers[0].Rack = evil, evil, evil
	p.Cluster.Name, p.Diagnostics[0].Summary, p.Steps[0].Topic, p.Targets = evil, evil, evil, []string{evil}
	p.Changes[1].Config[0].Name = evil
	page := pageOf(t, p)
	if strings.Contains(page, "<img") {
		t.Error("a name is markup")
	}
	dom := browsed(t, page, `document.querySelectorAll("details").forEach(function (d) { d.open = true; });`)
	if strings.Contains(dom, "<img") || strings.Contains(dom, "<b>x</b>") || strings.Contains(dom, "<title>owned") {
		t.Error("a name became markup in the browser")
	}
	if n := strings.Count(dom, "&lt;/script&gt;"); n < 6 {
		t.Errorf("the name is shown %d times", n)
	}
}

func TestABrowserOpensTwoHundredThousandPartitions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	start := time.Now()
	dom := browsed(t, pageOf(t, large()), `
		var d = document.querySelector("#list details"); d.open = true; d.dispatchEvent(new Event("toggle"));`)
	t.Logf("in %s", time.Since(start))
	if !strings.Contains(dom, "2000 of 2000 topics, the first 100 shown") {
		t.Error("the topics are not listed")
	}
	if n := strings.Count(dom, "<tr"); n > 2*300+100+10 { // brokers before and after, topics
		t.Errorf("%d rows are drawn at once", n)
	}
}
