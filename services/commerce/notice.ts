// Kinds of notices: each says which data of a tenant has changed, so that cached copies are stale.
declare module '#runtime/call/call.ts' {
  interface NoticeKinds {
    catalog: true;
    review: true;
    content: true;
    /** Ids of ended sessions; none stands for all sessions of the tenant. */
    sessions: true;
    customers: true;
    /** A person is erased: what names persons in memory goes. */
    erasure: true;
    /** Names of limits for which another edge needs tokens. */
    tokens: true;
    store: true;
    prices: true;
    shipping: true;
    clock: true;
    reset: true;
    sections: true;
    staff: true;
  }
}

export {};
