import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const TESTS = ['**/*.spec.ts', 'test/**', 'src/testing/**'];
const TESTS_OF_EXAMPLES = 'examples/*/test/**';

const PROCESS_ENV = {
  object: 'process',
  property: 'env',
  message: 'Only platform/config reads the environment: inject Config.',
};
const CLOCK = [
  { object: 'Date', property: 'now', message: 'Time comes from platform/clock: inject Clock.' },
  { object: 'Math', property: 'random', message: 'Use node:crypto, or pass the randomness in.' },
];
const NO_ENUM = { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' };
const NO_DEFAULT_EXPORT = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };
const NO_NEW_DATE = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Time comes from platform/clock: inject Clock.',
};
/** Constants in capital letters contain texts of the project, not of other people. */
const OWN = 'name=/^[A-Z][A-Z_]+$/';
const FOREIGN_EXPRESSIONS = [
  "[arguments.0.type='Identifier']:not([arguments.0.OWN])",
  '> TemplateLiteral > :not(TemplateElement, Identifier[OWN], MemberExpression[object.OWN])',
].map((use) => ({
  selector: `NewExpression[callee.name='RegExp']${use}`.replaceAll('OWN', OWN),
  message: 'A text of others in a regular expression may take for ever: use domain/glob-set, or say why it may not.',
}));
const HTTP_EXCEPTIONS = {
  name: '@nestjs/common',
  importNames: [
    'HttpException',
    'HttpStatus',
    'HttpCode',
    'BadRequestException',
    'ConflictException',
    'ForbiddenException',
    'InternalServerErrorException',
    'NotFoundException',
    'UnauthorizedException',
  ],
  message: 'Status codes live in platform/errors: throw a DomainError.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'coverage/**', 'src/generated/**', '.sluice/**', 'site/**', 'test/fixtures/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Nest modules are classes without members; promises are passed to Express handlers.
      '@typescript-eslint/no-extraneous-class': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': ['error', NO_ENUM, NO_DEFAULT_EXPORT],
    },
  },
  {
    files: ['src/**/*.ts', 'examples/**/*.ts'],
    ignores: [...TESTS, TESTS_OF_EXAMPLES],
    rules: {
      'max-lines': ['error', { max: 250 }],
      'max-lines-per-function': ['error', { max: 60 }],
      'no-console': 'error',
      'no-restricted-properties': ['error', PROCESS_ENV, ...CLOCK],
      'no-restricted-syntax': ['error', NO_ENUM, NO_DEFAULT_EXPORT, NO_NEW_DATE, ...FOREIGN_EXPRESSIONS],
      'no-restricted-imports': ['error', { paths: [HTTP_EXCEPTIONS] }],
    },
  },
  {
    // An example's own tsconfig.json resolves `sluice` only if the package is installed; the project's tsconfig.json
    // resolves it in src.
    files: ['examples/**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, project: 'tsconfig.json' } },
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['describe', 'it', 'before', 'after'], package: 'node:test' },
          ],
        },
      ],
    },
  },
  {
    // A command loads its modules when it runs, so that other commands and the help start without them.
    files: ['src/cli/**/*.ts', 'src/platform/config/**/*.ts'],
    rules: { '@typescript-eslint/no-require-imports': ['error', { allow: ['^\\.{1,2}/', '^node:https?$'] }] },
  },
  { files: ['src/platform/config/**'], rules: { 'no-restricted-properties': ['error', ...CLOCK] } },
  {
    files: ['src/platform/errors/**', 'src/platform/auth/**', 'src/platform/openapi/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['src/platform/clock/**'],
    rules: {
      'no-restricted-properties': ['error', PROCESS_ENV],
      'no-restricted-syntax': ['error', NO_ENUM, NO_DEFAULT_EXPORT],
    },
  },
  {
    // The engine is pure: it receives the time and random numbers as arguments, and so does the code that replays the
    // engine.
    files: ['src/engine/**/*.ts', 'src/processing/replay/**/*.ts', 'src/processing/decision-log/**/*.ts'],
    // A preview is for programs, which receive times as text.
    ignores: [...TESTS, 'src/processing/replay/settings-preview.ts'],
    rules: { 'no-restricted-globals': ['error', 'Date', 'process', 'setTimeout', 'setInterval', 'crypto', 'fetch'] },
  },
  {
    files: TESTS,
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect*', '**.expect*', '**.then*', 'fc.assert', 'assert*'] },
      ],
      'jest/no-standalone-expect': 'off',
      // The contract suite of code hosts is meant to be imported.
      'jest/no-export': 'off',
    },
  },
  { files: ['prisma.config.ts', 'test/global-*.ts'], rules: { 'no-restricted-syntax': ['error', NO_ENUM] } },
  {
    files: ['**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'require', 'module', '__dirname', 'URL', 'WebAssembly', 'globalThis'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    // The service sends these files as one script, so each file can use the definitions of the others.
    files: ['src/ui/assets/scripts/*.js'],
    rules: {
      'no-unused-vars': ['error', { vars: 'local' }],
      '@typescript-eslint/no-unused-vars': 'off',
      'no-redeclare': ['error', { builtinGlobals: false }],
      'no-global-assign': 'off',
    },
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        [
          'document',
          'addEventListener',
          'matchMedia',
          'navigator',
          'setInterval',
          'Intl',
          'fetch',
          'DOMParser',
          'IntersectionObserver',
          'EventSource',
          'Node',
          'clearTimeout',
          'location',
          'setTimeout',
          ...['$', '$$', 'root', 'say', 'search', 'found', 'find', 'filterMine', 'localize', 'sameDay', 'tickFrom'],
          ...['main', 'show'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  prettier,
);
