// The shopper on whose behalf a client calls: who browses, and the session of who signed in, renewed shortly before it ends
// and when it is refused.

/** What signing in answers as `session`. */
export interface SessionTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_at: string;
}

/** One of three: tokens of ours, an assertion of the merchant's, a token of the store's identity provider. */
export type ShopperCredential = SessionTokens | { readonly external_auth: string } | { readonly idp_token: string };

/** Fetches what takes a spent credential's place; null: the shopper is signed out. */
export type Renew = (spent: ShopperCredential) => Promise<ShopperCredential | null>;

export interface ShopperOptions {
  /** Names an anonymous cart: 1 to 128 visible ASCII characters. A storefront makes one up where it is left out. */
  readonly sessionId?: string | undefined;
  readonly credential?: ShopperCredential | null;
  readonly renew?: Renew | undefined;
  /** Told of every change, so that it can be kept; null: signed out. */
  readonly onChange?: (credential: ShopperCredential | null) => void;
}

/** Before its end, so that no request carries a session that ends on the way. */
const RENEWED_BEFORE_MS = 60_000;

export const credentialHeader = (credential: ShopperCredential): readonly [name: string, value: string] => {
  if ('access_token' in credential) return ['x-auth-token', credential.access_token];
  return 'external_auth' in credential
    ? ['x-external-auth', credential.external_auth]
    : ['x-idp-token', credential.idp_token];
};

export class ShopperSession {
  readonly sessionId: string | undefined;
  #credential: ShopperCredential | null;
  readonly #renew: Renew | undefined;
  readonly #onChange: ((credential: ShopperCredential | null) => void) | undefined;
  /** At most one at a time: a refresh token is good for one renewal. */
  #renewing: Promise<ShopperCredential | null> | null = null;

  constructor({ sessionId, credential = null, renew, onChange }: ShopperOptions) {
    this.sessionId = sessionId;
    this.#credential = credential;
    this.#renew = renew;
    this.#onChange = onChange;
  }

  /** Who is signed in; null: no customer is. */
  get credential(): ShopperCredential | null {
    return this.#credential;
  }

  signIn(credential: ShopperCredential): void {
    this.#become(credential);
  }

  /** Forgets the session here. The server ends it: `auth.logout`. */
  signOut(): void {
    this.#become(null);
  }

  #become(credential: ShopperCredential | null): void {
    this.#credential = credential;
    this.#onChange?.(credential);
  }

  /** The credential to send, renewed where it is about to end. Where that fails the old one is tried to its very end. */
  async fresh(): Promise<ShopperCredential | null> {
    const credential = this.#credential;
    if (!credential || !this.#renew || !('expires_at' in credential)) return credential;
    if (Date.parse(credential.expires_at) - Date.now() > RENEWED_BEFORE_MS) return credential;
    return (await this.renewed(credential).catch(() => null)) ?? this.#credential;
  }

  /** What takes the place of a credential that was refused; null where nothing does. */
  renewed(spent: ShopperCredential): Promise<ShopperCredential | null> {
    // Another call renewed it meanwhile.
    if (this.#credential !== spent) return this.#renewing ?? Promise.resolve(this.#credential);
    const renew = this.#renew;
    if (!renew) return Promise.resolve(null);
    this.#renewing ??= renew(spent)
      .then((credential) => {
        // Who signed in or out meanwhile stays so.
        if (this.#credential === spent) this.#become(credential);
        return this.#credential;
      })
      .finally(() => {
        this.#renewing = null;
      });
    return this.#renewing;
  }
}
