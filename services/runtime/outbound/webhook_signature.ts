// How what we send to merchants' URLs is signed: webhooks, extensions of shipping, payment providers of their own.
// Specification, "Signature"; beside it the headers of Standard Webhooks, from the same secret.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export interface Signed {
  /** All that are in force, the newest first. */
  readonly secrets: readonly string[];
  /** Of the message: the same at every attempt to deliver it. */
  readonly id: string;
  readonly body: string;
  /** Real time. */
  readonly nowMs: number;
}

/**
 * `X-Svc-Signature: t=…,v1=…` over the timestamp, a dot and the body, keyed by the whole text of the secret; the Standard
 * Webhooks headers are keyed by the bytes that stand behind `whsec_` in base64.
 */
export const signatureHeaders = ({ secrets, id, body, nowMs }: Signed): Record<string, string> => {
  const timestamp = Math.floor(nowMs / 1000);
  const own = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  );
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'x-svc-signature': `t=${timestamp},${own.join(',')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
};

/** As the Agentic Commerce Protocol wants it: one signature, by the newest secret. */
export const merchantSignature = ({ secrets, id, body, nowMs }: Signed): Record<string, string> => {
  const timestamp = Math.floor(nowMs / 1000);
  const signature = createHmac('sha256', secrets[0]!).update(`${timestamp}.${body}`).digest('hex');
  return {
    'merchant-signature': `t=${timestamp},v1=${signature}`,
    timestamp: new Date(nowMs).toISOString(),
    'request-id': id,
  };
};
