import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';

/** An invalid setting. The start stops with its message, a single line. */
export class ConfigError extends Error {}

/** Requests per second, and how many may arrive at once after a pause. */
export interface Rate {
  perSecond: number;
  burst: number;
}

export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash; undefined if it is not set. */
  publicUrl: string | undefined;
  /** Where the other processes reach this one; undefined: found out; `off`: nowhere. Without a trailing slash. */
  internalUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** A streaming replica of the first database, for reports. */
  replicaUrl: string | undefined;
  /** How old what a replica has may be. */
  replicaLagMs: number;
  /** URLs of the databases of further cells, by name. */
  cells: ReadonlyMap<string, string>;
  /** undefined: `dataDir/files`. */
  storageUrl: string | undefined;
  logLevel: string;
  /** How long a service that was told to stop still accepts connections, for load balancers to notice. */
  shutdownDelayMs: number;
  /** The master keys, the newest first; undefined: they are in `secretKeyFile`. */
  secretKey: string | undefined;
  secretKeyFile: string;
  /** Opens `GET /metrics` to requests that send it; without one only this machine may read the metrics. */
  metricsToken: string | undefined;
  poolSize: number;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[];
  /** Path of a country or city database in MaxMind's format. */
  geoipPath: string | undefined;
  /** Private addresses or CIDR ranges that webhooks may be sent to. */
  webhookAllowCidrs: string[];
  /** Of ad platforms: base URLs and API versions that replace the defaults, by platform. */
  destinations: Record<string, { url?: string | undefined; version?: string | undefined }>;
  /** The same for reading what ads cost. */
  costs: Config['destinations'];
  /** Days for which the IP addresses and user agents of visitors are stored where a destination needs them. */
  clientDays: number;
  /** undefined: no limits. */
  rates: Record<RateName, Rate> | undefined;
  limits: Limits;
  /** Retention of the audit log. */
  auditDays: number;
  /** Earlier versions that are kept of each entry. */
  entryVersions: number;
  /** Days until deleted entries and collections are deleted permanently; undefined: never. */
  trashDays: number | undefined;
  files: FileSettings;
  backup: BackupSettings;
  /** undefined: no mail is sent. */
  mail: MailSettings | undefined;
}

interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password. */
  url: string;
  /** The sender, such as `Headwater <headwater@shop.example>`. */
  from: string;
}

interface BackupSettings {
  /** Where scheduled backups go: an absolute folder or `s3://…`; undefined: none are made. */
  url: string | undefined;
  everyHours: number;
  /** How many backups are kept there. */
  keep: number;
  /** The public key to encrypt to. */
  recipient: string | undefined;
  /** Archives the log of the embedded database; undefined: it is not archived. */
  continuous: { everySeconds: number; days: number } | undefined;
}

interface FileSettings {
  /** Files that no entry has used for this long are deleted; undefined: never. */
  clearUnusedDays: number | undefined;
  /** Whether images and videos keep their metadata (location, time, camera). */
  keepMetadata: boolean;
  /** The widths and heights in which images may be requested. */
  variantSizes: number[];
  /** The size of the cache of image variants. */
  variantBytes: number;
  /** Who sends a file: this process, nginx in front of it, or the storage by a signed URL. */
  delivery: 'stream' | 'nginx' | 'redirect';
  /** The internal nginx location that serves the files. */
  nginxLocation: string;
}

export type RateName = 'read' | 'write' | 'conversion' | 'upload' | 'ingest' | 'ingestAddress' | 'delivery';

export interface Limits {
  bodyBytes: number;
  conversionBodyBytes: number;
  bodyDepth: number;
  conversionsPerBatch: number;
  imageBytes: number;
  imagePixels: number;
  videoBytes: number;
  fileBytes: number;
  /** Of a CSV import. */
  importBytes: number;
  importRows: number;
}

/** The widths in a `srcset`, which are always available. */
export const SRCSET_SIZES = [320, 640, 960, 1280, 1920];

/** Common sizes of icons, thumbnails and screens. */
const VARIANT_SIZES = [
  16, 32, 48, 64, 96, 128, 160, 200, 256, 320, 384, 400, 480, 640, 750, 800, 828, 960, 1080, 1200, 1280, 1600, 1920,
  2048, 2560, 3840,
];

/** @throws ConfigError */
export function checkStorageUrl(name: string, url: string | undefined): void {
  if (url === undefined || isAbsolute(url) || url.startsWith('file://')) return;
  const parsed = url.startsWith('s3://') ? URL.parse(url) : undefined;
  const isKnown = (option: string) => ['endpoint', 'region', 'pathStyle'].includes(option);
  const endpoint = parsed?.searchParams.get('endpoint') ?? 'https://';
  if (parsed?.host && [...parsed.searchParams.keys()].every(isKnown) && /^https?:\/\//.test(endpoint)) return;
  throw new ConfigError(
    `${name} must be an absolute folder, a file:// URL, or s3://bucket/prefix?endpoint=https://…&region=…`,
  );
}

type Env = Record<string, string | undefined>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads and checks the environment, once. Empty values count as absent.
 * @throws ConfigError that names the variable and its valid values
 */
export function readConfig(env: Env): Config {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const raw = text(name);
    if (raw === undefined) return fallback;
    const value = /^\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
    }
    return value;
  };

  const integers = (name: string, fallback: number[], min: number, max: number): number[] => {
    const raw = text(name);
    if (raw === undefined) return fallback;
    const values = raw.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
    if (values.every((value) => value >= min && value <= max)) return [...new Set(values)].sort((a, b) => a - b);
    throw new ConfigError(`${name} must be whole numbers from ${min} to ${max}, separated by commas, not "${raw}"`);
  };

  const url = (name: string, protocols: string[]): string | undefined => {
    const raw = text(name);
    if (raw === undefined) return undefined;
    // The URL of a socket may have a user and no host (postgres://user@/name?host=/folder), which the parser rejects.
    const parsed = URL.parse(raw) ?? URL.parse(raw.replace('@/', '@localhost/'));
    // The value is not repeated, since it may contain a password.
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new ConfigError(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return raw;
  };

  const addresses = (name: string): string[] => {
    const parts = (text(name) ?? '').split(',').flatMap((part) => part.trim() || []);
    for (const part of parts) {
      const [address = '', bits, ...more] = part.split('/');
      const size = isIP(address) === 6 ? 128 : isIP(address) === 4 ? 32 : 0;
      const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= size);
      if (size > 0 && fits && more.length === 0) continue;
      throw new ConfigError(
        `${name} must be addresses or ranges such as 10.0.0.0/8, separated by commas, not "${part}"`,
      );
    }
    return parts;
  };

  const rate = (name: string, perSecond: number, burst: number): Rate => {
    const raw = text(name);
    if (raw === undefined) return { perSecond, burst };
    const match = /^(\d+(?:\.\d+)?)(?::(\d+))?$/.exec(raw);
    const value = Number(match?.[1]);
    if (!match || !(value > 0)) {
      throw new ConfigError(
        `${name} must be requests per second, or requests:burst, such as 100 or 100:200, not "${raw}"`,
      );
    }
    return { perSecond: value, burst: match[2] ? Math.max(1, Number(match[2])) : Math.max(1, Math.ceil(value)) };
  };

  /** The first value is the default. */
  const oneOf = (name: string, values: [string, ...string[]]): string => {
    const value = text(name) ?? values[0];
    if (!values.includes(value)) throw new ConfigError(`${name} must be ${values.join(' or ')}, not "${value}"`);
    return value;
  };

  /** `DESTINATION_META_URL`, `DESTINATION_META_VERSION`, `COSTS_META_URL` and the like. */
  const readPlatforms = (prefix: 'DESTINATION' | 'COSTS'): Config['destinations'] => {
    const found: Config['destinations'] = {};
    for (const name of Object.keys(env)) {
      const [, of, platform, setting] = /^([A-Z]+)_([A-Z]+)_(URL|VERSION)$/.exec(name) ?? [];
      if (of !== prefix) continue;
      if (platform === undefined || text(name) === undefined) continue;
      const settings = { ...found[platform.toLowerCase()] };
      if (setting === 'URL') settings.url = url(name, ['http:', 'https:'])?.replace(/\/+$/, '');
      else settings.version = text(name);
      if (settings.version !== undefined && !/^[\w.-]{1,20}$/.test(settings.version)) {
        throw new ConfigError(`${name} must be a version such as v1`);
      }
      found[platform.toLowerCase()] = settings;
    }
    return found;
  };

  /** `CELLS="eu-1=postgres://… eu-2=postgres://…"` */
  const readCells = (): Map<string, string> => {
    const cells = new Map<string, string>();
    for (const part of (text('CELLS') ?? '').split(/\s+/).filter((each) => each !== '')) {
      const [, name = '', cellUrl = ''] = /^([a-z][a-z0-9-]{0,62})=(postgres(?:ql)?:\/\/.+)$/.exec(part) ?? [];
      if (!URL.canParse(cellUrl) || name === 'main' || cells.has(name)) {
        throw new ConfigError('CELLS must be names and URLs, such as eu-1=postgres://…, separated by spaces');
      }
      cells.set(name, cellUrl);
    }
    return cells;
  };

  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}"`);
  }
  const rateLimit = oneOf('RATE_LIMIT', ['on', 'off']);
  const storageUrl = text('STORAGE_URL');
  checkStorageUrl('STORAGE_URL', storageUrl);

  const backupUrl = text('BACKUP_URL');
  if (backupUrl?.startsWith('file://')) throw new ConfigError('BACKUP_URL must be an absolute folder or s3://…');
  checkStorageUrl('BACKUP_URL', backupUrl);
  const recipient = text('BACKUP_RECIPIENT');
  if (recipient !== undefined && !/^age1[a-z0-9]{58}$/.test(recipient)) {
    throw new ConfigError('BACKUP_RECIPIENT must be a public key that starts with age1, from `headwater backup key`');
  }

  const isContinuous = oneOf('BACKUP_CONTINUOUS', ['off', 'on']) === 'on';
  if (isContinuous && backupUrl === undefined) throw new ConfigError('BACKUP_CONTINUOUS requires BACKUP_URL');
  if (isContinuous && text('DATABASE_URL') !== undefined) {
    throw new ConfigError(
      'BACKUP_CONTINUOUS is for the embedded database: archive that of DATABASE_URL by its own tools',
    );
  }

  const publicUrl = url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  if (publicUrl !== undefined && /[?#@]/.test(publicUrl)) {
    throw new ConfigError('PUBLIC_URL must be a URL without user, query or fragment');
  }

  const smtpUrl = url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = text('SMTP_FROM');
  if ((smtpUrl === undefined) !== (from === undefined)) {
    throw new ConfigError('SMTP_URL and SMTP_FROM must be set together');
  }
  if (from !== undefined && !/^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]+ <[^\s@<>]+@[^\s@<>]+>$/.test(from)) {
    throw new ConfigError('SMTP_FROM must be an email, or a name and an email in angle brackets');
  }

  if (text('SECRET_KEY') !== undefined && text('SECRET_KEY_FILE') !== undefined) {
    throw new ConfigError('SECRET_KEY and SECRET_KEY_FILE must not be set together');
  }
  const dataDir = resolve(text('DATA_DIR') ?? './data');

  const mebibytes = (name: string, fallback: number) => integer(name, fallback, 1, 102_400) * 1_048_576;

  return {
    host: text('HOST') ?? '0.0.0.0',
    port: integer('PORT', 3000, 0, 65_535),
    publicUrl,
    internalUrl: text('INTERNAL_URL') === 'off' ? 'off' : url('INTERNAL_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    dataDir,
    secretKey: text('SECRET_KEY'),
    secretKeyFile: resolve(text('SECRET_KEY_FILE') ?? join(dataDir, 'secret.key')),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    replicaUrl: url('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:']),
    replicaLagMs: integer('DATABASE_REPLICA_LAG_SECONDS', 5, 2, 3_600) * 1_000,
    cells: readCells(),
    storageUrl,
    logLevel,
    shutdownDelayMs: integer('SHUTDOWN_DELAY_SECONDS', 0, 0, 5) * 1_000,
    metricsToken: text('METRICS_TOKEN'),
    poolSize: integer('DATABASE_POOL', 16, 4, 200),
    trustProxy: addresses('TRUST_PROXY'),
    geoipPath: text('GEOIP_PATH'),
    webhookAllowCidrs: addresses('WEBHOOK_ALLOW_CIDRS'),
    destinations: readPlatforms('DESTINATION'),
    costs: readPlatforms('COSTS'),
    clientDays: integer('DESTINATION_CLIENT_DAYS', 30, 1, 400),
    rates:
      rateLimit === 'off'
        ? undefined
        : {
            read: rate('RATE_LIMIT_READ', 100, 100),
            write: rate('RATE_LIMIT_WRITE', 50, 50),
            conversion: rate('RATE_LIMIT_CONVERSION', 50, 50),
            upload: rate('RATE_LIMIT_UPLOAD', 10, 10),
            ingest: rate('RATE_LIMIT_INGEST', 1000, 1000),
            ingestAddress: rate('RATE_LIMIT_INGEST_ADDRESS', 100, 500),
            delivery: rate('RATE_LIMIT_DELIVERY', 1000, 2000),
          },
    auditDays: integer('AUDIT_RETENTION_DAYS', 400, 1, 36_500),
    entryVersions: integer('ENTRY_VERSIONS', 50, 0, 10_000),
    trashDays: text('TRASH_DAYS') ? integer('TRASH_DAYS', 0, 1, 36_500) : undefined,
    limits: {
      bodyBytes: mebibytes('LIMIT_BODY_MB', 1),
      conversionBodyBytes: mebibytes('LIMIT_CONVERSION_BODY_MB', 4),
      bodyDepth: integer('LIMIT_BODY_DEPTH', 32, 1, 1000),
      conversionsPerBatch: integer('LIMIT_CONVERSIONS_PER_BATCH', 1000, 1, 10_000),
      imageBytes: mebibytes('LIMIT_IMAGE_MB', 25),
      imagePixels: integer('LIMIT_IMAGE_MEGAPIXELS', 100, 1, 1000) * 1_000_000,
      videoBytes: mebibytes('LIMIT_VIDEO_MB', 500),
      fileBytes: mebibytes('LIMIT_FILE_MB', 100),
      importBytes: mebibytes('LIMIT_IMPORT_MB', 1024),
      importRows: integer('LIMIT_IMPORT_ROWS', 2_000_000, 1, 5_000_000),
    },
    mail: smtpUrl !== undefined && from !== undefined ? { url: smtpUrl, from } : undefined,
    backup: {
      url: backupUrl,
      everyHours: integer('BACKUP_HOURS', 24, 1, 8_760),
      keep: integer('BACKUP_KEEP', 14, 1, 10_000),
      recipient,
      continuous: isContinuous
        ? {
            everySeconds: integer('BACKUP_CONTINUOUS_SECONDS', 60, 1, 3_600),
            days: integer('BACKUP_CONTINUOUS_DAYS', 7, 1, 3_650),
          }
        : undefined,
    },
    files: {
      variantSizes: [...new Set([...integers('FILE_SIZES', VARIANT_SIZES, 1, 8192), ...SRCSET_SIZES])].sort(
        (a, b) => a - b,
      ),
      variantBytes: mebibytes('FILE_VARIANTS_MB', 2048),
      delivery: oneOf('FILE_DELIVERY', ['stream', 'nginx', 'redirect']) as FileSettings['delivery'],
      nginxLocation: (text('FILE_NGINX_LOCATION') ?? '/headwater-files').replace(/\/+$/, ''),
      keepMetadata: oneOf('FILE_METADATA', ['strip', 'keep']) === 'keep',
      clearUnusedDays: text('CLEAR_UNUSED_FILES_DAYS') ? integer('CLEAR_UNUSED_FILES_DAYS', 0, 1, 36_500) : undefined,
    },
  };
}
