package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"ballast/cmd/ballast/internal/render"
)

// pipelines runs the shell lines of the workflows in examples, in a workspace
// with the quickstart's configuration and a sandbox. Other programs that they
// call are the stand-ins in testdata/bin.
type pipelines struct {
	*testing.T
	workspace, artifacts, calls, summary, output string
	env                                          []string
}

func newPipelines(t *testing.T) *pipelines {
	t.Parallel()
	for _, program := range []string{"bash", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the workflows are not run: %v", err)
		}
	}
	p := &pipelines{T: t, workspace: t.TempDir(), artifacts: t.TempDir()}
	p.calls, p.summary = filepath.Join(p.artifacts, "calls"), filepath.Join(p.artifacts, "summary.md")
	p.output = filepath.Join(p.artifacts, "output")
	if err := os.CopyFS(p.workspace, os.DirFS("../../examples/quickstart")); err != nil {
		t.Fatal(err)
	}
	box := startSandbox(t, filepath.Join(p.workspace, "snapshot.json"))
	os.Remove(filepath.Join(p.workspace, "snapshot.json"))
	bin, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	p.env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "BALLAST_PROGRAM="+os.Args[0], "BALLAST_BOOTSTRAP="+strings.Join(box.Bootstrap(), ","),
		"CALLS="+p.calls, "ARTIFACTS="+p.artifacts, "GITHUB_STEP_SUMMARY="+p.summary, "GITHUB_OUTPUT="+p.output, "GITHUB_SHA=0123abcd", "NO_COLOR=1")
	return p
}

// shell runs lines as a runner does, and wants an exit code.
func (p *pipelines) shell(what, script string, want int, env ...string) string {
	p.Helper()
	cmd := exec.Command("bash", "-e", "-c", script)
	cmd.Dir, cmd.Env = p.workspace, append(p.env, env...)
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want {
		p.Fatalf("%s: exit %d, want %d\n%s\n%s", what, got, want, script, out)
	}
	return string(out)
}

func (p *pipelines) read(file string) string {
	src, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(src)
}

// keep does what upload-artifact does.
func (p *pipelines) keep(name string) {
	p.Helper()
	src, err := os.ReadFile(filepath.Join(p.workspace, name))
	if err == nil {
		err = os.WriteFile(filepath.Join(p.artifacts, name), src, 0o644)
	}
	if err != nil {
		p.Fatal(err)
	}
}

func parseYAML(t *testing.T, file string, into any) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// workflow is what is looked at of a GitHub workflow.
type workflow struct {
	Permissions map[string]string
	Concurrency struct {
		Group  string
		Cancel bool `yaml:"cancel-in-progress"`
	}
	Jobs map[string]struct {
		Permissions map[string]string
		Environment string
		Env         map[string]string
		Steps       []struct {
			Name, Uses, Run string
			With            map[string]string
		}
	}
}

var pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)

func TestWorkflowsArePinnedAndMayDoLittle(t *testing.T) {
	files, _ := filepath.Glob("../../examples/github-actions/*.yml")
	if len(files) != 3 {
		t.Fatalf("%d workflows", len(files))
	}
	for _, file := range files {
		var w workflow
		parseYAML(t, file, &w)
		if w.Permissions == nil || len(w.Permissions) > 0 {
			t.Errorf("%s: permissions of the workflow are %v, want none", file, w.Permissions)
		}
		if w.Concurrency.Group == "" {
			t.Errorf("%s: no concurrency group", file)
		}
		for name, job := range w.Jobs {
			for what, may := range job.Permissions {
				if may == "write" && (what != "pull-requests" || name != "review") {
					t.Errorf("%s: job %s may write %s", file, name, what)
				}
			}
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s is not pinned to a commit", file, step.Uses)
				}
			}
		}
	}
}

// github runs a job of a workflow; its last step ends with an exit code.
func (p *pipelines) github(file, job string, want int, env ...string) {
	p.Helper()
	var w workflow
	parseYAML(p.T, "../../examples/github-actions/"+file, &w)
	j, ok := w.Jobs[job]
	if !ok {
		p.Fatalf("%s has no job %s", file, job)
	}
	for k, v := range j.Env {
		env = append(env, k+"="+regexp.MustCompile(`\$\{\{.*?\}\}`).ReplaceAllString(v, "7"))
	}
	for i, step := range j.Steps {
		code := 0
		if i == len(j.Steps)-1 {
			code = want
		}
		if step.Run != "" {
			p.shell(file+": "+step.Name, step.Run, code, env...)
		}
		if strings.HasPrefix(step.Uses, "actions/upload-artifact@") {
			p.keep(step.With["path"])
		}
	}
}

func TestGitHubWorkflowsReviewDeployAndWatch(t *testing.T) {
	p := newPipelines(t)
	p.github("ballast-drift.yml", "snapshot", exitDone)
	p.github("ballast-drift.yml", "drift", exitChanges)
	p.github("ballast-review.yml", "review", exitDone)
	comment := p.read(filepath.Join(p.workspace, "comment.md"))
	if !strings.HasPrefix(comment, "<!-- ballast-plan quickstart") {
		t.Errorf("the comment is %q", firstOf(comment, 200))
	}
	p.called("--method POST repos/{owner}/{repo}/issues/7/comments", true)
	p.put("comment", "4711\n")
	p.put("posted.md", render.AgeLine+"3 days</sub>\n"+comment)
	p.github("ballast-review.yml", "review", exitDone)
	p.called("--method PATCH", false)
	p.put("posted.md", "what it said before\n")
	p.github("ballast-review.yml", "review", exitDone)
	p.called("--method PATCH repos/{owner}/{repo}/issues/comments/4711", true)

	p.github("ballast-apply.yml", "plan", exitDone)
	p.github("ballast-apply.yml", "apply", exitDone, "DIGEST="+p.reviewed())
	if summary := p.read(p.summary); !strings.Contains(summary, "### Changes with risks: 1 to create") || !strings.Contains(summary, "### Applied") {
		t.Errorf("the summary is:\n%s", summary)
	}
	p.github("ballast-drift.yml", "snapshot", exitDone)
	p.github("ballast-drift.yml", "drift", exitDone)
	out := p.shell("another decision", "ballast plan -out merged.plan >/dev/null && ballast show -against reviewed/reviewed.plan merged.plan", exitChanges)
	if !strings.Contains(out, "audit") {
		t.Errorf("what decides otherwise is refused without the difference:\n%s", out)
	}
}

// called says whether a program was called so.
func (p *pipelines) called(how string, want bool) {
	p.Helper()
	if calls := p.read(p.calls); strings.Contains(calls, how) != want {
		p.Errorf("called %q: %v, want %v:\n%s", how, !want, want, calls)
	}
}

// put has the stand-ins find a file.
func (p *pipelines) put(name, text string) {
	p.Helper()
	if err := os.WriteFile(filepath.Join(p.artifacts, name), []byte(text), 0o644); err != nil {
		p.Fatal(err)
	}
}

// reviewed is the digest that the step before has put out.
func (p *pipelines) reviewed() string {
	p.Helper()
	digest, ok := strings.CutPrefix(strings.TrimSpace(p.read(p.output)), "digest=")
	if !ok || !strings.HasPrefix(digest, "sha256:") {
		p.Fatalf("the review's digest is %q", digest)
	}
	return digest
}

func TestGitLabPipelineReviewsDeploysAndWatches(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skipf("the pipeline is not run: %v", err)
	}
	p := newPipelines(t)
	var all map[string]yaml.Node
	parseYAML(t, "../../examples/gitlab-ci/.gitlab-ci.yml", &all)
	job := func(name string, want int) {
		t.Helper()
		var j struct {
			Script       []string
			AllowFailure struct {
				ExitCodes []int `yaml:"exit_codes"`
			} `yaml:"allow_failure"`
		}
		node := all[name]
		if err := node.Decode(&j); err != nil || len(j.Script) == 0 {
			t.Fatalf("job %s: %v", name, err)
		}
		if want != exitDone && !slices.Contains(j.AllowFailure.ExitCodes, want) {
			t.Errorf("exit %d of %s fails its pipeline, whose artifacts are not served then", want, name)
		}
		p.shell(name, strings.Join(j.Script, "\n"), want, "CI_API_V4_URL=api", "CI_PROJECT_ID=1", "CI_MERGE_REQUEST_IID=7", "CI_JOB_TOKEN=x", "CI_DEFAULT_BRANCH=main",
			"CI_COMMIT_SHA=0123abcd", "BALLAST_REVIEW_TOKEN=x")
	}
	const notes = "api/projects/1/merge_requests/7/notes"
	job("snapshot", exitDone)
	p.keep("snapshot.json")
	job("drift", exitChanges)
	job("review", exitDone)
	p.keep("reviewed.plan")
	p.called("body@comment.md "+notes+"\n", true)
	comment := p.read(filepath.Join(p.workspace, "comment.md"))
	note := func(body string) {
		doc, _ := json.Marshal([]map[string]any{{"id": 1, "body": "another"}, {"id": 4711, "body": body}})
		p.put("notes.json", string(doc))
	}
	note(comment + render.AgeLine + "3 days</sub>\n")
	job("review", exitDone)
	p.called("--request PUT", false)
	note(comment + "what it said before\n")
	job("review", exitDone)
	p.called("--request PUT --data-urlencode body@comment.md "+notes+"/4711", true)
	job("plan", exitDone)
	job("apply", exitDone)
	job("snapshot", exitDone)
	job("drift", exitDone)
}

func TestCronWatches(t *testing.T) {
	p := newPipelines(t)
	script, err := filepath.Abs("../../examples/cron/ballast-drift")
	if err != nil {
		t.Fatal(err)
	}
	watch := func(want int) string {
		t.Helper()
		return p.shell("cron", script, want, "BALLAST_CONFIGURATION="+p.workspace, "BALLAST_STATE="+p.artifacts, "BALLAST_METRICS_FILE="+filepath.Join(p.artifacts, "ballast.prom"))
	}
	watch(exitChanges)
	p.shell("apply", "ballast apply -auto-approve", exitDone)
	watch(exitDone)
	if out := watch(exitDone); !strings.Contains(out, "compared with") {
		t.Errorf("it does not compare with the last state:\n%s", out)
	}
	if metrics := p.read(filepath.Join(p.artifacts, "ballast.prom")); !strings.Contains(metrics, `ballast_drift{cluster="quickstart"} 0`) {
		t.Errorf("the metrics are:\n%s", metrics)
	}
}
