// The door of an edge that stands alone: it takes the connections, and what comes through them is HTTP by the time that the
// server behind it sees it. That server ends a connection without a word where a second request comes before the first is
// answered, or a verb that it does not know, and says nothing of what it cannot read.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'bun';
import { refusalResponse } from '#edge/answer.ts';
import { withStatus } from '#edge/gates/refusal.ts';
import { requestIdOf } from '#edge/gates/request_id.ts';
import { RequestContext } from '#edge/request_context.ts';
import { type RefusalCode, refuse } from '#runtime/call/call.ts';
import type { DoorGate } from './gate.ts';
import { Guest, type Hall } from './guest.ts';
import type { Misread } from './head.ts';

export interface PublicDoor {
  readonly port: number;
  /** Who is behind a connection of the server's, by that connection's port; undefined where the door did not open it. */
  addressOf(port: number): string | undefined;
  /** Takes no new connection, and lets open ones end what they have begun. */
  stop(): Promise<void>;
  /** Ends all connections now. */
  close(): void;
}

export interface DoorOptions {
  readonly host: string;
  readonly port: number;
  /** Where the server listens, on this machine. */
  readonly serverPort: number;
  readonly gate: DoorGate;
  /** Hears of what was answered here. */
  readonly refused: (requestId: string, status: number, address: string) => void;
}

/** The server knows its callers by their ports, of which a machine has some 28,000. */
const GUESTS_MAX = 20_000;
const SWEEP_MS = 1_000;
const SHED_STATUS = 503;
const LOOPBACK = '127.0.0.1';

const CODES: Readonly<Record<number, RefusalCode>> = { 413: 'payload_too_large', 503: 'service_unavailable' };

/** The error object as bytes of HTTP. */
function render({ status, message, param }: Misread, requestId: string): Uint8Array {
  const context = new RequestContext(new Request('http://edge/'), requestId);
  const code = CODES[status] ?? 'invalid_request';
  const refusal = withStatus(refuse(code, message, param === undefined ? {} : { param }), status);
  const { headers } = refusalResponse(context, refusal, { Connection: 'close' });
  const body = context.refused ?? '';
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  lines.push(`date: ${new Date().toUTCString()}`, `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

export function openDoor({ host, port, serverPort, gate, refused }: DoorOptions): PublicDoor {
  const guests = new Set<Guest>();
  /** Those of whom something is due. */
  const watched = new Set<Guest>();
  const addresses = new Map<number, string>();
  const serverSide = {
    open(socket: Socket<Guest>) {
      socket.data.serverPort = socket.localPort;
      addresses.set(socket.localPort, socket.data.address);
      socket.data.served(socket);
    },
    data: (socket: Socket<Guest>, bytes: Buffer) => socket.data.answer(bytes),
    drain: (socket: Socket<Guest>) => socket.data.serverDrained(),
    close(socket: Socket<Guest>) {
      addresses.delete(socket.data.serverPort);
      socket.data.serverGone();
    },
    connectError: (socket: Socket<Guest>) => socket.data.unserved(),
  };

  let emptied = (): void => {};
  const hall: Hall & { closing: boolean } = {
    closing: false,
    get crowded() {
      return guests.size > GUESTS_MAX;
    },
    gate,
    turnedAway: (requestId, address) => refused(requestId, SHED_STATUS, address),
    render: (misread, address) => {
      const requestId = requestIdOf(null);
      refused(requestId, misread.status, address);
      return render(misread, requestId);
    },
    lead: (guest) => {
      const leading = Bun.connect<Guest>({ hostname: LOOPBACK, port: serverPort, data: guest, socket: serverSide });
      // What fails is told by `connectError`.
      leading.catch(() => {});
    },
    watch: (guest) => void watched.add(guest),
    unwatch: (guest) => void watched.delete(guest),
    gone: (guest) => {
      guests.delete(guest);
      if (guests.size === 0) emptied();
    },
  };

  const listener = Bun.listen<Guest>({
    hostname: host,
    port,
    allowHalfOpen: true,
    socket: {
      open(socket) {
        socket.data = new Guest(socket, hall);
        guests.add(socket.data);
        if (hall.closing || hall.crowded) socket.data.unserved();
      },
      data: (socket, bytes) => socket.data.hear(bytes),
      drain: (socket) => socket.data.clientDrained(),
      end: (socket) => socket.data.end(),
      close: (socket) => socket.data.lost(),
      error: (socket) => socket.terminate(),
    },
  });

  const sweeper = setInterval(() => {
    const now = performance.now();
    for (const guest of [...watched]) if (guest.deadline <= now) guest.late();
  }, SWEEP_MS);

  const close = (): void => {
    clearInterval(sweeper);
    listener.stop(true);
  };

  return {
    port: listener.port,
    addressOf: (serverSidePort) => addresses.get(serverSidePort),
    close,
    async stop() {
      hall.closing = true;
      listener.stop();
      const empty = new Promise<void>((done) => {
        emptied = done;
      });
      for (const guest of [...guests]) guest.hurry();
      if (guests.size > 0) await empty;
      close();
    },
  };
}
