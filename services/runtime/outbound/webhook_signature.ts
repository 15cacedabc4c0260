// Signs requests to merchants' URLs twice with the same secret: in our own header and in those of Standard Webhooks.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export interface Signed {
  readonly secrets: readonly string[];
  readonly id: string;
  readonly body: string;
  readonly nowMs: number;
}

/**
 * Returns the signature headers. `X-Svc-Signature: t=…,v1=…` signs timestamp, dot and body with the whole text of the
 * secret as key. Standard Webhooks use as key the bytes that follow `whsec_` in base64.
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

/** Returns one signature with the newest secret, as the Agentic Commerce Protocol requires. */
export const merchantSignature = ({ secrets, id, body, nowMs }: Signed): Record<string, string> => {
  const timestamp = Math.floor(nowMs / 1000);
  const signature = createHmac('sha256', secrets[0]!).update(`${timestamp}.${body}`).digest('hex');
  return {
    'merchant-signature': `t=${timestamp},v1=${signature}`,
    timestamp: new Date(nowMs).toISOString(),
    'request-id': id,
  };
};
