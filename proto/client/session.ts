// The shopper on whose behalf a client calls: who browses, and the session of who signed in, renewed shortly before it ends
// and when it is refused.

/** The `session` of a sign-in answer. */
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
  /** Called with every changed credential, so that it can be stored; null: signed out. */
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
  /** One renewal at a time: a refresh token works once. */
  #renewing: Promise<ShopperCredential | null> | null = null;

  constructor({ sessionId, credential = null, renew, onChange }: ShopperOptions) {
    this.sessionId = sessionId;
    this.#credential = credential;
    this.#renew = renew;
    this.#onChange = onChange;
  }

  /** Credential of the signed-in customer; null without one. */
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

  /** The credential to send, renewed shortly before its end. When renewal fails, the old one is used until its end. */
  async fresh(): Promise<ShopperCredential | null> {
    const credential = this.#credential;
    if (!credential || !this.#renew || !('expires_at' in credential)) return credential;
    if (Date.parse(credential.expires_at) - Date.now() > RENEWED_BEFORE_MS) return credential;
    return (await this.renewed(credential).catch(() => null)) ?? this.#credential;
  }

  /** Renews a refused credential; null without a new one. */
  renewed(spent: ShopperCredential): Promise<ShopperCredential | null> {
    // Another call renewed it meanwhile.
    if (this.#credential !== spent) return this.#renewing ?? Promise.resolve(this.#credential);
    const renew = this.#renew;
    if (!renew) return Promise.resolve(null);
    this.#renewing ??= renew(spent)
      .then((credential) => {
        // A sign-in or sign-out of the meantime wins.
        if (this.#credential === spent) this.#become(credential);
        return this.#credential;
      })
      .finally(() => {
        this.#renewing = null;
      });
    return this.#renewing;
  }
}
