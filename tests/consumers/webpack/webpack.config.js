import HtmlWebpackPlugin from 'html-webpack-plugin';

export default {
  mode: 'production',
  entry: './src/main.js',
  output: {
    clean: true,
    // What is loaded later is a script, which the policy wants to be trusted.
    trustedTypes: true,
  },
  plugins: [new HtmlWebpackPlugin({ template: './src/index.html' })],
};
