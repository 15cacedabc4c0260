// A promise that was not kept: what fails a trial.

export class BrokenPromise extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'Broken';
  }
}
