// Saves what the page has read or made as a file of the reader's.

export const downloadFile = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

export const downloadText = (name: string, type: string, text: string): void =>
  downloadFile(name, new Blob([text], { type }));
