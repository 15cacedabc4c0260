// What starting a local server takes and gives, whichever it is.
import type { Child } from './child.ts';

export interface LocalServerOptions {
  readonly home: string;
  /** Tells the user what takes time. */
  readonly log: (text: string) => void;
  /** Shows the server's own log on standard error in place of the home's log folder. */
  readonly verbose?: boolean;
  /** False for a server that is thrown away with its data: nothing waits for the disk. */
  readonly durable?: boolean;
  /** Gives up on a start that is under way. */
  readonly signal?: AbortSignal;
}

export interface LocalServer {
  readonly url: string;
  readonly child: Child;
  /** Whether it answers now; false too when it took too long. */
  readonly answers: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}
