// Common first steps of actions: a product, a signed-in customer, a clock advance.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Sandbox, SandboxAnswer } from './sandbox.ts';

/** Returns the created record for further steps. */
export type Action = (sandbox: Sandbox) => Promise<SandboxAnswer>;

const PASSWORD = 'correct horse battery';

export const name = (noun: string): string => `${noun} ${randomUUID().slice(0, 8)}`;
export const email = (): string => `trigger-${randomUUID().slice(0, 8)}@example.com`;

export const product = (sandbox: Sandbox, more: object = {}): Promise<SandboxAnswer> =>
  sandbox.post('/v1/products', {
    name: name('Triggered lamp'),
    price: 20,
    stock: 10,
    shipping_info: { requires_shipping: false },
    ...more,
  });

/** A network address of its own for each customer, so that sign-up limits do not add up. */
const network = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

export const customer = (sandbox: Sandbox): Promise<SandboxAnswer> =>
  sandbox.post('/v1/auth/register', { email: email(), password: PASSWORD }, { 'x-shopper-ip': network() });

export const travel = (sandbox: Sandbox, ms: number): Promise<SandboxAnswer> =>
  sandbox.post('/v1/sandbox/time-travel', { advance_seconds: Math.ceil(ms / 1_000) });
