package planner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxDocument is the largest plan document that Decode reads, in bytes.
const MaxDocument = 4 << 30

// Encode writes the plan document: one line of JSON, the same bytes for the
// same plan, with the checksum over all that it says.
func Encode(w io.Writer, p *Plan) error {
	body, err := marshal(p, checksum)
	if err != nil {
		return fmt.Errorf("the plan cannot be written: %w", err)
	}
	_, err = w.Write(body)
	return err
}

// Decode reads a plan document and refuses one that is truncated, of another
// format or version, that has fields this build does not know, or that was
// edited: what is carried out is what was reviewed. The name is the file's, for
// the error.
func Decode(r io.Reader, name string) (*Plan, error) {
	p, err := decode(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\nMake another plan: ballast plan -out PLAN_FILE", name, err)
	}
	return p, nil
}

func decode(r io.Reader) (*Plan, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(src) > MaxDocument {
		return nil, fmt.Errorf("the document is larger than %d bytes", int64(MaxDocument))
	}
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.DisallowUnknownFields()
	p := &Plan{}
	failed := dec.Decode(p)
	if err := checkHead(p, failed, src); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the document's end")
	}
	return p, checkSeal(p)
}

// checkHead refuses what is not a plan document of this version, and only then
// what else could not be read: another version has other fields.
func checkHead(p *Plan, failed error, src []byte) error {
	format, version := p.Format, p.Version
	if failed != nil {
		head := struct {
			Format  string `json:"format"`
			Version int    `json:"version"`
		}{}
		if json.NewDecoder(bytes.NewReader(src)).Decode(&head) != nil {
			return explain(failed, src)
		}
		format, version = head.Format, head.Version
	}
	switch {
	case format != Format:
		return fmt.Errorf("this is not a plan: its format is %q, a plan's is %q", format, Format)
	case version != Version:
		return fmt.Errorf("the plan has version %d, this build reads version %d", version, Version)
	case failed != nil:
		return explain(failed, src)
	}
	return nil
}

// checkSeal refuses a document whose digest or checksum is not that of what it says.
func checkSeal(p *Plan) error {
	if got := Digest(p); got != p.Digest {
		return fmt.Errorf("the plan was edited: it says digest %s, what it holds has %s", p.Digest, got)
	}
	want := p.Checksum
	if _, err := marshal(p, func(body []byte) string { p.Checksum = checksum(body); return "" }); err != nil {
		return err
	}
	if got := p.Checksum; got != want {
		p.Checksum = want
		return fmt.Errorf("the plan was edited: it says checksum %s, what it holds has %s", want, got)
	}
	return nil
}

// explain says what is wrong with JSON and where.
func explain(err error, src []byte) error {
	if len(bytes.TrimSpace(src)) == 0 {
		return errors.New("the file is empty")
	}
	var syntax *json.SyntaxError
	if errors.Is(err, io.ErrUnexpectedEOF) || (errors.As(err, &syntax) && int(syntax.Offset) >= len(bytes.TrimSpace(src))) {
		return fmt.Errorf("the plan is truncated after %d bytes", len(src))
	}
	if errors.As(err, &syntax) {
		return fmt.Errorf("this is not JSON at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return fmt.Errorf("this is not a plan that this build can read: %w", err)
}

// marshal writes the document and puts in what sum makes of all that comes
// before the checksum, the document's last field.
func marshal(p *Plan, sum func(body []byte) string) ([]byte, error) {
	doc := *p
	doc.Checksum = ""
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&doc); err != nil {
		return nil, err
	}
	const tail = `""}` + "\n"
	body := bytes.TrimSuffix(buf.Bytes(), []byte(tail))
	return append(body, fmt.Sprintf("%q}\n", sum(body))...), nil
}

func checksum(body []byte) string {
	sum := sha256.Sum256(body)
	return "sha256:" + hex.EncodeToString(sum[:])
}
