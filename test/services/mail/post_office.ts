// A mail server for tests: speaks SMTP, stores the mails that it accepts, and refuses on request.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

export interface Letter {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

export interface PostOffice {
  readonly url: string;
  readonly letters: readonly Letter[];
  /** Letters offered, whether or not they were taken. */
  readonly offered: number;
  /** The reply to the next recipients: `250 …` accepts them. */
  verdict: string;
  /** Says nothing at all to its callers. */
  silent: boolean;
  /** Awaited between a letter's arrival and its acknowledgement. */
  acknowledgeable: () => Promise<void>;
  close(): Promise<void>;
}

export const openPostOffice = async (): Promise<PostOffice> => {
  const letters: Letter[] = [];
  const sockets = new Set<Socket>();
  const office = { letters, offered: 0, verdict: '250 fine', silent: false, acknowledgeable: async () => {} };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (office.silent) return;
    let from = '';
    let to: string[] = [];
    let data: string[] | null = null;
    let rest = '';
    const say = (text: string): boolean => socket.write(`${text}\r\n`);
    const hear = (line: string): void => {
      if (data) {
        if (line !== '.') return void data.push(line.replace(/^\.\./, '.'));
        letters.push({ from, to, data: data.join('\n') });
        [data, to] = [null, []];
        return void office.acknowledgeable().then(() => say('250 kept'));
      }
      const [verb = ''] = line.toUpperCase().split(/[ :]/);
      if (verb === 'EHLO') return void say('250-office\r\n250-8BITMIME\r\n250 SMTPUTF8');
      if (verb === 'MAIL') {
        from = line;
        return void say('250 fine');
      }
      if (verb === 'RCPT') {
        office.offered++;
        if (office.verdict.startsWith('250')) to.push(/<(.*)>/.exec(line)![1]!);
        return void say(office.verdict);
      }
      if (verb === 'DATA') {
        data = [];
        return void say('354 go on');
      }
      say(verb === 'QUIT' ? '221 bye' : '250 fine');
    };
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      rest += text;
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        hear(line);
      }
    });
    say('220 office');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return Object.assign(office, {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  });
};
