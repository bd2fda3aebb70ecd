// Why a wasm does not run: asks its address once more, and looks at what comes.

import { type Finding, finding } from './finding.ts';
import { replaced } from './replaced.ts';

/** What is known of a load that failed: the address, the hash that the bytes should have, and the error. */
export interface FailedLoad {
  url: string | URL;
  integrity: string;
  reason: unknown;
}

/** What the loading needs of the browser. */
const NEEDED = ['fetch', 'Response', 'Promise', 'AbortController'] as const;

export async function findLoad({ url, integrity, reason }: FailedLoad): Promise<Finding> {
  if (!globalThis.WebAssembly)
    return finding(
      'no-webassembly',
      'this browser has no WebAssembly; the payer sees the content of the tag. Put another way to pay there',
    );
  if (reason instanceof WebAssembly.CompileError || reason instanceof EvalError) {
    return finding(
      'policy',
      `the policy of the page forbids WebAssembly: it lacks script-src 'wasm-unsafe-eval'. Add it. ${reason.message}`,
    );
  }
  const blocked = watchPolicy();
  const { answer, failure } = await ask(url);
  const directive = blocked();
  if (directive) return finding('policy', `the policy of the page blocks ${url} (${directive}). Add the address to it`);
  if (!answer) {
    return finding(
      'blocked',
      `${url} cannot be asked (${failure}): a blocker or a filter in the browser, a server that is down, or another origin without Access-Control-Allow-Origin. Open the address in a tab: if it comes, an extension or the policy stops it`,
    );
  }
  const broken = replaced(NEEDED);
  if (typeof answer.status !== 'number')
    return finding(
      'replaced',
      `${url} cannot be asked (${reason}): ${broken || 'the page has replaced functions of the browser'}. Load the element before that script`,
    );
  const found = `GET ${url} answers ${answer.status}`;
  if (!answer.ok)
    return finding(
      'no-wasm',
      `${found}: the wasm is not there. Serve the folder of the package whole, or name the address: define(tag, { wasm })`,
    );
  const kind = answer.headers.get('content-type') ?? 'no content type';
  if (/html/.test(kind)) {
    return finding(
      'html',
      `${found} with ${kind}: a page instead of the wasm, as servers of single-page apps give for unknown addresses. Serve the file itself`,
    );
  }
  if (await hasBytes(answer, integrity)) {
    if (broken)
      return finding(
        'replaced',
        `${found} with the right bytes, but the loading failed (${reason}): ${broken}. Load the element before that script`,
      );
    return finding(
      'blocked',
      `${found} with the right bytes now, and did not before (${reason}): a connection that broke off. There is nothing to mend if it happens once`,
    );
  }
  return finding(
    'other-version',
    `${found} with ${kind}: not the bytes of this version. Publish all files of the package together, and keep those of the version before for open pages`,
  );
}

/** True if the answer, or another one from the same address, has the bytes with this hash. */
async function hasBytes(answer: Response, integrity: string) {
  try {
    const bytes = await (await fetch(answer.url, { cache: 'no-store' })).arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
    return integrity === `sha384-${btoa(String.fromCharCode(...hash))}`;
  } catch {
    // A page that is not secure has no such function.
    return false;
  }
}

async function ask(url: string | URL): Promise<{ answer?: Response; failure?: string }> {
  try {
    const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' });
    // Some servers know only GET.
    return { answer: [405, 501].includes(answer.status) ? await fetch(url, { cache: 'no-store' }) : answer };
  } catch (reason) {
    return { failure: String(reason) };
  }
}

/** Listens until it is called, and returns the directive that blocked a request. */
export function watchPolicy() {
  let directive = '';
  const onViolation = (event: SecurityPolicyViolationEvent) => {
    directive ||= event.effectiveDirective;
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  return () => {
    document.removeEventListener('securitypolicyviolation', onViolation);
    return directive;
  };
}
