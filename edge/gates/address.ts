// Determines a client's address: that of the connection, or the one that a trusted proxy reports.
import { BlockList, isIP } from 'node:net';
import { type Refusal, refuse } from '#runtime/call/call.ts';

export class ClientAddresses {
  readonly #trusted = new BlockList();

  /** `TRUSTED_PROXIES` lists addresses and networks, comma-separated: `10.0.0.0/8, 2001:db8::1`. */
  constructor(trustedProxies: string) {
    for (const entry of trustedProxies.split(',').map((text) => text.trim())) {
      if (entry === '') continue;
      const [address = '', bits] = entry.split('/');
      const family = isIP(address);
      if (family === 0) throw new Error(`TRUSTED_PROXIES: "${entry}" is not an address or a network.`);
      const kind = family === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#trusted.addAddress(address, kind);
      else this.#trusted.addSubnet(address, Number(bits), kind);
    }
  }

  /** Returns the rightmost address that is no trusted proxy. A client can forge all addresses further left. */
  client(peer: string, forwardedFor: string | null): string {
    let client = plain(peer);
    if (forwardedFor === null || !this.#isTrusted(client)) return client;
    const hops = forwardedFor.split(',');
    for (let i = hops.length - 1; i >= 0; i--) {
      const hop = plain((hops[i] as string).trim());
      if (isIP(hop) === 0) return client;
      client = hop;
      if (!this.#isTrusted(client)) return client;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');

export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

export function shopperAddress(header: string | null): string | Refusal {
  if (header === null || header === '') return '';
  const address = plain(header);
  const family = isIP(address);
  if (family === 4) return address;
  if (family === 0)
    return refuse('invalid_request', 'X-Shopper-IP must be an IPv4 or IPv6 address.', { param: 'X-Shopper-IP' });
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(spelled);
  if (!mapped) return spelled;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
