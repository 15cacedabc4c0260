// Kinds of notices: which data of a tenant changed, so that copies elsewhere are stale. Each kind names its ids.
declare module '#runtime/nats/notice.ts' {
  interface NoticeKinds {
    catalog: true;
    review: true;
    content: true;
    /** Ids of sessions that ended; empty: any of the tenant's. */
    sessions: true;
    customers: true;
    /** Names of the limits for which another edge needs tokens. */
    tokens: true;
    store: true;
    prices: true;
    shipping: true;
    clock: true;
    reset: true;
    sections: true;
  }
}

export {};
