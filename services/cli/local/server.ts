// What starting a local server takes and gives, whichever it is.
import type { Child } from './child.ts';

export interface LocalServerOptions {
  readonly home: string;
  /** Tells the user what takes time. */
  readonly log: (text: string) => void;
  /** Shows the server's own log on standard error in place of the home's log folder. */
  readonly verbose?: boolean;
}

export interface LocalServer {
  readonly url: string;
  readonly child: Child;
  readonly stop: () => Promise<void>;
}
