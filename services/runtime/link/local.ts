// The link without a network: an edge and its services in one process.
import { refuse } from '#runtime/call.ts';
import type { Notices } from '#runtime/notice.ts';
import { NO_BYTES, type Wire } from './frame.ts';
import { Cancellation, type LinkHost } from './server.ts';

export const localWire = (host: LinkHost, notices: Notices): Wire => ({
  async ask(ask, write) {
    const cancellation = new Cancellation();
    const answer = host.dispatch(ask, cancellation);
    if (!(answer instanceof Promise)) return answer;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<'late'>((done) => {
      timer = setTimeout(done, ask.timeoutMs, 'late');
    });
    const first = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (first !== 'late') return first;
    cancellation.cancel();
    const refused = write
      ? refuse('server_error', 'The outcome is unknown. Send the same request with the same key again.')
      : refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 });
    return { body: NO_BYTES, revision: 0, subject: '', replayed: false, refused };
  },
  listen: (hear) => void notices.listen(hear),
  serves: (service) => host.hello().services.includes(service),
  async close() {},
});
