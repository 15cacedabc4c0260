// Signs requests with the store's HMAC secret, by WebCrypto: HMAC-SHA256 over `<timestamp>.<body>`.

/** 300 seconds before and after now count. A signature that was taken elsewhere is made anew somewhere in the spread. */
const SPREAD_S = 120;
const DISTANCE_MAX_S = 290 - SPREAD_S;
const REMEMBERED_MAX = 20_000;

export interface Signer {
  /** With `again` for a request whose signature another program had used already. */
  readonly sign: (body: string, again?: boolean) => Promise<Readonly<Record<string, string>>>;
  /** Goes by the server's clock from here on: `date` is an answer's header of that name. */
  readonly follow: (date: string | null) => void;
}

export const createSigner = (secret: string): Signer => {
  const encoder = new TextEncoder();
  let key: Promise<CryptoKey> | undefined;
  /** The newest signatures given out, the oldest of them first. */
  const given = new Set<string>();
  let aheadMs = 0;

  const signatureOf = async (text: string): Promise<string> => {
    key ??= crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const bytes = await crypto.subtle.sign('HMAC', await key, encoder.encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(bytes)));
  };

  return {
    /** One signature is good for one request: of two with equal bodies the second takes the timestamp next to it. */
    sign: async (body, again = false) => {
      const back = again ? SPREAD_S * Math.random() : 0;
      const now = Math.floor((Date.now() + aheadMs) / 1_000 - back);
      for (let distance = 0; distance <= DISTANCE_MAX_S; distance++)
        for (const timestamp of [now - distance, now + distance]) {
          const signature = await signatureOf(`${timestamp}.${body}`);
          if (given.has(signature)) continue;
          given.add(signature);
          if (given.size > REMEMBERED_MAX) given.delete(given.keys().next().value!);
          return { 'x-timestamp': String(timestamp), 'x-signature': signature };
        }
      throw new RangeError('Too many requests with one body in five minutes: let their bodies differ.');
    },
    follow: (date) => {
      const there = Date.parse(date ?? '');
      if (!Number.isNaN(there)) aheadMs = there - Date.now();
    },
  };
};
