import HtmlWebpackPlugin from 'html-webpack-plugin';

export default {
  mode: 'production',
  entry: './src/main.js',
  output: {
    clean: true,
    // webpack loads the later chunks as scripts, and the policy accepts only trusted ones.
    trustedTypes: true,
  },
  plugins: [new HtmlWebpackPlugin({ template: './src/index.html' })],
};
