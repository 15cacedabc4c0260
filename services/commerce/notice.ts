// The kinds of notices: what of a tenant may change, so that copies of it elsewhere are stale.
declare module '#runtime/nats/notice.ts' {
  interface NoticeKinds {
    /** Ids of changed products. */
    catalog: true;
    /** Ids of products whose reviews changed. */
    review: true;
    /** Ids of changed posts and lookbooks. */
    content: true;
    /** Ids of sessions that ended; without any, all of the tenant's may have. */
    sessions: true;
    /** Ids of changed customers. */
    customers: true;
    /** Names of the limits of which another edge needs tokens. */
    tokens: true;
    /** A store's profile, keys, plan or limits. */
    store: true;
    prices: true;
    shipping: true;
    /** A sandbox's clock. */
    clock: true;
    /** All data of a sandbox. */
    reset: true;
    /** An operator's sections. */
    sections: true;
  }
}

export {};
