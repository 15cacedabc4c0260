// Starts a headless Chromium and controls it over the DevTools protocol, for tests of pages. These need an installed Chromium.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Bounds for what hangs: on a busy machine a page takes its time. */
const START_MS = 60_000;
const ANSWER_MS = 60_000;

/** Null where none is installed. */
export const chromiumProgram = (): string | null =>
  [process.env.STOA_CHROMIUM ?? '', ...PROGRAMS].find((program) => program !== '' && existsSync(program)) ?? null;

export interface Page {
  /** Goes there and waits until it is loaded; not for addresses that lead elsewhere. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page. */
  read<T>(expression: string): Promise<T>;
  /** Shows the page like a phone of this width. */
  resize(width: number, height: number): Promise<void>;
  /** Shows the page like a screen with this preferred colour scheme. */
  theme(shade: 'light' | 'dark'): Promise<void>;
  /** Sends these headers with every request from then on. */
  headers(headers: Readonly<Record<string, string>>): Promise<void>;
  /** Fails the requests of these URLs, from then on and instead of those before. */
  block(urls: readonly string[]): Promise<void>;
  /** Presses and releases a key, as its `key` names it: `Tab`, `Enter`, `ArrowDown`, ` `. */
  press(key: string, modifiers?: 'Control' | 'Shift'): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
  /** Cuts the page off from the network, and connects it again. */
  connect(isConnected: boolean): Promise<void>;
  /** In base64. */
  picture(): Promise<string>;
  /** Files that the page gives to its reader are left in this folder from then on. */
  download(folder: string): Promise<void>;
  /** Errors that the browser has logged: broken policies, failed loads. */
  readonly complaints: readonly string[];
}

export interface Browser {
  readonly page: Page;
  close(): Promise<void>;
}

interface DevToolsMessage {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: every command has an answer of its own shape
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: and every event
  readonly params?: any;
  readonly error?: { readonly message: string };
}

/** Key codes, without which Chromium moves no focus and presses no button. */
const KEY_CODES: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ' ': 32,
  ArrowUp: 38,
  ArrowDown: 40,
  Home: 36,
  k: 75,
};
const MODIFIERS = { Control: 2, Shift: 8 } as const;
/** Keys that write something. */
const KEY_TEXTS: Readonly<Record<string, string>> = { Enter: '\r', ' ': ' ' };

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((found, failed) => {
    let text = '';
    const late = setTimeout(() => failed(new Error(`Chromium does not start: ${text.slice(-500)}`)), START_MS);
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (!address) return;
      clearTimeout(late);
      found(address);
    });
    child.on('exit', () => failed(new Error(`Chromium ended: ${text.slice(-500)}`)));
  });

export const openBrowser = async (program: string): Promise<Browser> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-browser-'));
  const child = spawn(
    program,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const gone = new Promise<void>((ended) => child.on('exit', () => ended()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  let socket: WebSocket;
  try {
    socket = new WebSocket(await addressOf(child));
    await new Promise((open, failed) => {
      socket.addEventListener('open', open);
      socket.addEventListener('error', () => failed(new Error('Chromium does not answer.')));
    });
  } catch (problem) {
    await stop();
    throw problem;
  }

  let commands = 0;
  let session: string | undefined;
  const waiting = new Map<number, (message: DevToolsMessage) => void>();
  const complaints: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as DevToolsMessage;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === 'Log.entryAdded')
      complaints.push(`${message.params.entry.text} ${message.params.entry.url ?? ''}`.trim());
  });
  const sendCommand = (method: string, params: object = {}): Promise<DevToolsMessage['result']> =>
    new Promise((done, failed) => {
      const id = ++commands;
      const late = setTimeout(() => failed(new Error(`Chromium did not answer ${method}.`)), ANSWER_MS);
      waiting.set(id, ({ result, error }) => {
        clearTimeout(late);
        waiting.delete(id);
        if (error) failed(new Error(`${method}: ${error.message}`));
        else done(result);
      });
      socket.send(JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) }));
    });

  const { targetInfos } = await sendCommand('Target.getTargets');
  const { targetId } = targetInfos.find(({ type }: { type: string }) => type === 'page');
  session = (await sendCommand('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Log']) await sendCommand(`${domain}.enable`);

  return {
    page: {
      complaints,
      open: async (url) => {
        const { errorText } = await sendCommand('Page.navigate', { url });
        if (errorText) throw new Error(`${url}: ${errorText}`);
        const there = `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`;
        for (const until = performance.now() + ANSWER_MS; performance.now() < until; await Bun.sleep(20)) {
          const { result } = await sendCommand('Runtime.evaluate', { expression: there, returnByValue: true });
          if (result?.value === true) return;
        }
        throw new Error(`${url} did not load.`);
      },
      read: async (expression) => {
        const { result, exceptionDetails } = await sendCommand('Runtime.evaluate', { expression, returnByValue: true });
        if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
        return result.value;
      },
      resize: async (width, height) => {
        await sendCommand('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 2, mobile: true });
      },
      theme: async (value) => {
        await sendCommand('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
      },
      press: async (key, modifiers) => {
        const sent = {
          key,
          windowsVirtualKeyCode: KEY_CODES[key] ?? 0,
          modifiers: modifiers === undefined ? 0 : MODIFIERS[modifiers],
        };
        const text = KEY_TEXTS[key];
        await sendCommand('Input.dispatchKeyEvent', {
          ...sent,
          type: text === undefined ? 'rawKeyDown' : 'keyDown',
          ...(text === undefined ? {} : { text }),
        });
        await sendCommand('Input.dispatchKeyEvent', { ...sent, type: 'keyUp' });
      },
      type: async (text) => {
        await sendCommand('Input.insertText', { text });
      },
      connect: async (isConnected) => {
        await sendCommand('Network.enable');
        const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
        await sendCommand('Network.emulateNetworkConditions', { offline: !isConnected, ...unlimited });
      },
      headers: async (headers) => {
        await sendCommand('Network.enable');
        await sendCommand('Network.setExtraHTTPHeaders', { headers });
      },
      block: async (urls) => {
        await sendCommand('Network.enable');
        await sendCommand('Network.setBlockedURLs', { urls });
      },
      download: async (folder) => {
        await sendCommand('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
      },
      picture: async () => (await sendCommand('Page.captureScreenshot', { format: 'png' })).data,
    },
    close: async () => {
      socket.close();
      await stop();
    },
  };
};
