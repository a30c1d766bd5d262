package realkafka

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// pom asks Maven for Kafka's brokers and tools, and for a logger.
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ballast</groupId><artifactId>kafka-jars</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>%[1]s</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>%[1]s</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
  </plugin></plugins></build>
</project>
`

// cacheDir is where jars of all versions are kept, outside of the repository.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir() // XDG_CACHE_HOME, or .cache in the home directory
	if err != nil {
		return "", fmt.Errorf("no place for Kafka's jars: %w", err)
	}
	dir := filepath.Join(base, "ballast-kafka")
	return dir, os.MkdirAll(dir, 0o755)
}

// jars gives the directory with the jars of a version of Kafka, fetched by
// Maven where they are not in the cache. A directory in the cache is complete:
// it is filled under another name first.
func jars(ctx context.Context, version string) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, version)
	lock, err := lockFile(ctx, filepath.Join(cache, version+".lock"))
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if _, err := os.Stat(filepath.Join(dir, "kafka_2.13-"+version+".jar")); err == nil {
		return dir, nil
	}
	return dir, fetch(ctx, cache, dir, version)
}

// fetch lets Maven fill dir.
func fetch(ctx context.Context, cache, dir, version string) error {
	tmp, err := os.MkdirTemp(cache, version+".tmp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, "pom.xml")
	if err := os.WriteFile(file, fmt.Appendf(nil, pom, version), 0o644); err != nil {
		return err
	}
	out := filepath.Join(tmp, "jars")
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", file, "dependency:copy-dependencies", "-DoutputDirectory="+out)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("mvn could not fetch Kafka %s: %w\n%s", version, err, said.Bytes())
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(out, dir)
}

// lockFile waits for a lock between processes, and says so. It goes with the
// process that holds it.
func lockFile(ctx context.Context, path string) (*flock.Flock, error) {
	lock := flock.New(path)
	if ok, err := lock.TryLock(); ok || err != nil {
		return lock, err
	}
	fmt.Fprintf(os.Stderr, "waiting for another test on this machine that uses real Kafka (%s)\n", path)
	if _, err := lock.TryLockContext(ctx, 200*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for %s: %w", path, err)
	}
	return lock, nil
}
