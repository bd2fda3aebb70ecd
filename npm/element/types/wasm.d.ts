/** The address of the file, if a bundler's settings treat such files as assets. */
declare const address: string;
export default address;
