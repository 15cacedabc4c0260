// The frame in which the dashboard shows a mail: only the dashboard may frame it, and no script of a mail may run.
import { beforeAll, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('allows its own script alone, styles of mails, and framing by this origin', async () => {
  const reply = await fetch(`${stoa.url}/dashboard/mail-preview`);
  expect(reply.status).toBe(200);
  const policy = reply.headers.get('content-security-policy')!;
  expect(policy).toMatch(/script-src 'sha256-[^']+'(;|$)/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("style-src 'unsafe-inline'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(reply.headers.get('x-frame-options')).toBe('SAMEORIGIN');
});

test('lets the dashboard frame pages of this origin alone', async () => {
  const reply = await fetch(`${stoa.url}/dashboard`);
  expect(reply.headers.get('content-security-policy')).toContain("frame-src 'self'");
});
