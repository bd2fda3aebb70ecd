// Types alone: importing them runs nothing.
export {};
