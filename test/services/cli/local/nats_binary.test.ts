// Which releases of nats-server are good enough.
import { describe, expect, test } from 'vitest';
import { isAtLeast, NATS_MIN, parseVersion } from '#services/cli/local/nats_binary.ts';

describe('the version that a program prints', () => {
  test.each([
    ['nats-server: v2.10.27', '2.10.27'],
    ['nats-server: v2.11.3\n', '2.11.3'],
    ['nats-server: v2.10.27+deb1', '2.10.27'],
    ['nats-server version 2.9.10', '2.9.10'],
    ['nats-server: v2.11.0-RC.3', null],
    ['nats-server: v2.12.0-preview.1', null],
    ['command not found', null],
    ['', null],
  ])('%j is read as %j', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });
});

describe('a release', () => {
  test.each([
    ['2.9.10', false],
    ['2.10.9', false],
    ['2.10.26', false],
    [NATS_MIN, true],
    ['2.10.100', true],
    ['2.11.0', true],
    ['3.0.0', true],
    ['1.99.99', false],
  ])('%s is new enough: %s', (version, enough) => {
    expect(isAtLeast(version, NATS_MIN)).toBe(enough);
  });
});
