import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Served with a policy that allows no file inside another one.
  build: { assetsInlineLimit: 0 },
});
