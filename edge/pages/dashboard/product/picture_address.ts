// Addresses of narrower copies of pictures. Pure.

const OWN = /\/media\/[^/]+\/(production|sandbox)\/[^/]+$/;

/** The store's own pictures have copies of 320 pixels; others are shown as they are. */
export const smallPicture = (url: string): string => (OWN.test(url) ? `${url}/320.webp` : url);
