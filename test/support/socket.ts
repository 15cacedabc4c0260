// Sends raw bytes over a socket, for requests that no HTTP client would send.
import { connect } from 'node:net';

/** Sends them as they are and reads what comes back until the connection ends or the answer is whole. */
export const sendRaw = (url: string, bytes: string | Uint8Array): Promise<string> =>
  new Promise((done) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece;
      if (isWhole(answer)) socket.end();
    });
    socket.on('error', () => done(answer));
    socket.on('close', () => done(answer));
  });

/** Whether all announced bytes have arrived; an answer without a length has no body. */
const isWhole = (answer: string): boolean => {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/^content-length: (\d+)/im.exec(answer)?.[1] ?? 0);
  return Buffer.byteLength(answer) >= end + 4 + length;
};
