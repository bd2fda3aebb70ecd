/** The address of the file, where a bundler is told that such files are assets. */
declare const address: string;
export default address;
