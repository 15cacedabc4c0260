// Signs requests as a merchant's server does.
import { createHmac } from 'node:crypto';

export const signatureHeaders = (secret: string, body: string | Uint8Array): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('base64');
  return { 'X-Timestamp': timestamp, 'X-Signature': signature };
};
