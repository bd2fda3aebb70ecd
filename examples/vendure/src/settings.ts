// The settings of this shop, all of the environment.

/** A setting, or what holds without it. */
export function setting(name: string, otherwise?: string): string {
  const value = process.env[name] || otherwise;
  if (value === undefined) throw new Error(`the setting ${name} is missing`);
  return value;
}

/** A secret. Without it nothing starts: anybody can sign with an empty one. */
export function secret(name: string): string {
  const value = setting(name);
  if (value.length < 12) throw new Error(`${name} is too short for a secret`);
  return value;
}
