import type { CheckFolder } from './check-folder';

/** The part of the machine that a check can see. */
export interface View {
  /** The real files and folders that a check can see, each at its own path. */
  readonly shown: readonly string[];
  /** Symbolic links in the root folder, such as /bin. */
  readonly links: ReadonlyMap<string, string>;
  /** Parts of the shown folders that checks cannot see. */
  readonly hiddenFolders: readonly string[];
  readonly hiddenFiles: readonly string[];
  /** The user and group of the service, which the checks have, too. */
  readonly uid: number;
  readonly gid: number;
}

/** The paths of a check's folders, as the check sees them. */
export const VIEW_FOLDERS = { checkout: '/check', home: '/home/check', temporary: '/tmp' };

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
/** Folders with programs that the search path of an ordinary user usually lacks. */
const PROGRAMS_OF_ROOT = '/usr/sbin:/sbin';
const SHARED_MEMORY = 'size=256m,mode=1777';

/**
 * The arguments of a program that runs `program` in namespaces of its own. The first process makes the view, as root
 * within these namespaces. Then `program` starts in an inner namespace without these rights, so that it cannot undo the
 * view. When the first process ends, the kernel kills all other processes in the namespaces.
 */
export function inNamespaces(folder: CheckFolder, view: View, program: readonly string[]): readonly string[] {
  const { uid, gid } = view;
  const inner = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', ...program];
  const script = [...steps(folder, view), 'set +e', inner.map(shellWord).join(' '), 'exit $?'].join('\n');
  const outer = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--fork', '--kill-child'];
  return ['unshare', ...outer, '--', '/bin/sh', '-c', script];
}

function steps({ root, checkout, home, temporary }: CheckFolder, view: View): readonly string[] {
  const top = `${root}/view`;
  const at = (path: string): string => shellWord(`${top}${path}`);
  const own = [
    [checkout, VIEW_FOLDERS.checkout],
    [home, VIEW_FOLDERS.home],
    [temporary, VIEW_FOLDERS.temporary],
  ] as const;
  return [
    'set -e',
    'umask 022',
    `mkdir ${shellWord(top)}`,
    `mount -t tmpfs -o size=16m,mode=755,nosuid,nodev tmpfs ${shellWord(top)}`,
    ...view.shown.flatMap((path) => bind(path, at(path), 'read-only')),
    ...[...view.links].map(([path, target]) => `ln -s ${shellWord(target)} ${at(path)}`),
    // Folders that do not exist are skipped: they cannot be hidden, and checks cannot see them anyway.
    ...view.hiddenFolders.map(
      (path) => `[ ! -d ${at(path)} ] || mount -t tmpfs -o ro,size=4k,mode=000 tmpfs ${at(path)}`,
    ),
    ...view.hiddenFiles.map((path) => `[ ! -e ${at(path)} ] || mount --bind /dev/null ${at(path)}`),
    ...own.flatMap(([from, to]) => bind(from, at(to), 'writable')),
    `mkdir -p ${at('/var')} ${at('/proc')} ${at('/dev/shm')} ${at('/dev/pts')} ${at('/run')} ${at('/left')}`,
    `ln -s ../tmp ${at('/var/tmp')}`,
    `mount -t proc proc ${at('/proc')}`,
    ...DEVICES.map((name) => `: > ${at(`/dev/${name}`)}; mount --bind /dev/${name} ${at(`/dev/${name}`)}`),
    ...['fd', 'fd/0', 'fd/1', 'fd/2'].map((to, index) => {
      return `ln -s /proc/self/${to} ${at(`/dev/${['fd', 'stdin', 'stdout', 'stderr'][index]}`)}`;
    }),
    `mount -t tmpfs -o ${SHARED_MEMORY} tmpfs ${at('/dev/shm')}`,
    // Few checks need terminals, and not every kernel allows new ones.
    `! mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts ${at('/dev/pts')} 2>/dev/null || ln -s pts/ptmx ${at('/dev/ptmx')}`,
    `cd ${shellWord(top)}`,
    `(PATH=$PATH:${PROGRAMS_OF_ROOT}; pivot_root . left)`,
    'cd /',
    'umount -l /left',
    'rmdir /left',
    'mount -o remount,bind,ro,nosuid,nodev /',
    `cd ${VIEW_FOLDERS.checkout}`,
  ];
}

function bind(from: string, to: string, access: 'read-only' | 'writable'): readonly string[] {
  const source = shellWord(from);
  return [
    `if [ -d ${source} ]; then mkdir -p ${to}; else mkdir -p "$(dirname ${to})"; : > ${to}; fi`,
    `mount --rbind ${source} ${to}`,
    ...(access === 'read-only' ? [`mount -o remount,bind,ro,nosuid,nodev ${to}`] : []),
  ];
}

export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
