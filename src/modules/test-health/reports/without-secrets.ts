/** Replaces a secret. The mark has no digit, like the words of `varying-parts.ts`. */
const MARK = '<secret>';

/**
 * Secrets that are recognized by their shape. Every repetition in a pattern is bounded, or cannot begin inside itself.
 * This keeps the time linear in the length of the text, whatever a report contains.
 */
const SHAPES: readonly RegExp[] = [
  // A private key. A key without an end mark reaches to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[\s\S]*)/g,
  // A JSON web token
  /(?<![\w-])eyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*){0,3}/g,
  // AWS
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // GitHub, GitLab, Slack
  /(?<![A-Za-z0-9])(?:gh[oprsu]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|gl[a-z]{2,5}-[\w-]{16,255})/g,
  /(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?-|xapp-)[\w-]{8,255}|(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]{8,255}/g,
  // Sluice, npm, PyPI, Docker, Google, Stripe, SendGrid, Vault, Hugging Face, and other services with the prefix sk-
  /(?<![A-Za-z0-9])(?:slc_[\w-]{20,255}|npm_[A-Za-z0-9]{30,255}|pypi-[\w-]{40,255}|dckr_pat_[\w-]{20,255}|AIza[\w-]{35}|ya29\.[\w-]{20,255})/g,
  /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_\w{10,255}|whsec_\w{16,255}|SG\.[\w-]{16,64}\.[\w-]{16,64}|hv[bs]\.[\w-]{20,255}|hf_[A-Za-z0-9]{30,64})/g,
  /(?<![\w-])sk-(?=[\w-]{0,200}\d)[\w-]{20,255}/g,
];

/** The password in a URL: `https://user:password@host`, or a token in place of the user. */
const PASSWORD_OF_URL = /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:"'`<>]{0,256}):[^\s/?#"'`<>]{1,512}@/gi;
const TOKEN_OF_URL = /(:\/\/)[^\s/?#@:"'`<>]{20,256}@/g;

const HEADER =
  /((?:proxy-)?authorization|x-api-(?:key|token)|x-auth-token|(?:set-)?cookie)(["'`\]\\]{0,4}\s{0,4}[:=]\s{0,4}["'`\\]{0,3})([^\r\n"'`]{1,4000})/gi;
const SCHEME = /\b(bearer|basic|token)(\s{1,3})([\w.~+/=-]{8,4000})/gi;
const SIGNATURE = /([?&](?:sig|signature|key|code|x-amz-[a-z-]{1,20})=)([^&\s"'`<>#]{8,4000})/gi;

const SECRET_NAME =
  '(?:token|secret|passw(?:or)?d|passphrase|passcode|pwd|credential|(?:api|access|account|private|signing|encryption)[_-]?key)[\\w-]{0,40}';
const ASSIGNMENT = new RegExp(
  `(${SECRET_NAME})(["'\`\\]\\\\]{0,4}\\s{0,4}(?:=>|:=|={1,3}|:)\\s{0,4})(?:(\\\\?["'\`])([^\\r\\n]{1,2000}?)\\3|([^\\s"'\`,;&<>()[\\]{}|\\\\]{1,2000}))`,
  'gi',
);
const OPTION = new RegExp(`(--[\\w-]{0,40}?${SECRET_NAME})(\\s{1,3})([^\\s"'\`<>-][^\\s"'\`<>]{3,2000})`, 'gi');

/** The text with each likely secret replaced by `<secret>`. Cut a text only after its secrets were replaced. */
export function withoutSecrets(text: string): string {
  const known = SHAPES.reduce((rest, shape) => rest.replace(shape, MARK), text)
    .replace(PASSWORD_OF_URL, `$1:${MARK}@`)
    .replace(TOKEN_OF_URL, `$1${MARK}@`);
  return known
    .replace(HEADER, (all, name: string, between: string, value: string) =>
      isPlaceholder(value.trim()) ? all : name + between + MARK,
    )
    .replace(SCHEME, (all, name: string, between: string, value: string) =>
      looksRandom(value) ? name + between + MARK : all,
    )
    .replace(SIGNATURE, (all, name: string, value: string) => (looksRandom(value) ? name + MARK : all))
    .replace(ASSIGNMENT, maskAssignment)
    .replace(OPTION, (all, name: string, between: string, value: string) =>
      isSecretValue(name, value, false) ? name + between + MARK : all,
    );
}

function maskAssignment(all: string, name: string, between: string, quote?: string, quoted?: string, bare?: string) {
  const value = quoted ?? bare ?? '';
  const isAssigned = quoted !== undefined || between.endsWith('=');
  if (!isSecretValue(name, value, isAssigned)) return all;
  return name + between + (quote ?? '') + MARK + (quote ?? '');
}

const PLACEHOLDER =
  /^(?:null|undefined|none|nil|true|false|empty|missing|invalid|required|string|\*+|\.+|x+|[$%{[].*|(?:process\.env|os\.environ|env)\b.*)$|<(?:tmp|uuid|time|address|hex|duration|line|n|secret)>/i;

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/**
 * After a clear assignment, even a short plain word may be a password. Without a clear assignment, plain words count as
 * prose: `password: incorrect`.
 */
function isSecretValue(name: string, value: string, isAssigned: boolean): boolean {
  if (isPlaceholder(value)) return false;
  if (/\s/.test(value)) return value.split(/\s+/).some(looksRandom);
  if (looksRandom(value)) return true;
  const isPassword = /pass|pwd|secret|credential/i.test(name);
  return isPassword && value.length >= 4 && (isAssigned || !/^[\p{L}._:'-]*$/u.test(value));
}

/** Whether a value is too long and too varied for a word. */
function looksRandom(value: string): boolean {
  if (/\d/.test(value)) return value.length >= 8 && /\p{L}/u.test(value) && entropyOf(value) >= 2.75;
  return value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && entropyOf(value) >= 4;
}

/** Bits per character: the information of a character that its predecessors do not predict. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
