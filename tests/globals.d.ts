// Names that the tests put into pages, and packages that come without types.

/** Of `e2e/support/heard.mjs`. */
declare var heardLog: string[];
declare var heardFocus: () => string;
/** Of `e2e/support/invariants.mjs`. */
declare var tellTest: (event: object) => Promise<void>;

declare module "pngjs" {
  interface Picture {
    width: number;
    height: number;
    data: Buffer;
  }
  export class PNG implements Picture {
    constructor(size: { width: number; height: number });
    width: number;
    height: number;
    data: Buffer;
    static bitblt(from: Picture, to: Picture, ...place: number[]): void;
    static sync: {
      read(file: Buffer): Picture;
      write(picture: Picture, options?: object): Buffer;
    };
  }
}

/** Installed with the old browsers only: see `tests/engines/package.json`. */
declare module "puppeteer-core" {
  export type Browser = any;
  export type Page = any;
  const puppeteer: any;
  export default puppeteer;
}
