// Address of the page by which the readers of a mail unsubscribe.
export const UNSUBSCRIBE_PATH = '/mail/unsubscribe';
