// Options and result of starting a local server.
import type { Child } from './child.ts';

export interface LocalServerOptions {
  readonly home: string;
  readonly log: (text: string) => void;
  /** Prints the server's log to standard error instead of the home's log folder. */
  readonly verbose?: boolean;
  /** False for a throw-away server, which does not sync to disk. */
  readonly durable?: boolean;
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal;
}

export interface LocalServer {
  readonly url: string;
  readonly child: Child;
  /** False also where the answer took too long. */
  readonly answers: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}
