import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';

/** The credentials that the server accepts. */
export const S3_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'test-key',
  AWS_SECRET_ACCESS_KEY: 'test-secret',
  AWS_REGION: 'test-1',
};

export interface S3Server {
  /** For STORAGE_URL. */
  url: string;
  objects: Map<string, { body: Buffer; type: string; modifiedAt: Date }>;
  /** Uploads in parts that were neither completed nor aborted. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  /** Called before each request; `hang up` simulates an outage. */
  fault: (method: string, url: URL) => 'hang up' | undefined;
  requests: string[];
}

/**
 * An in-memory server with the parts of the S3 API that files need. It verifies signatures (AWS Signature Version 4, in a
 * header or in the query) independently of the client's library.
 */
export async function startS3Server(wantedPort = 0): Promise<S3Server> {
  const state: S3Server = { url: '', objects: new Map(), uploads: new Map(), fault: () => undefined, requests: [] };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    const method = request.method ?? '';
    state.requests.push(`${method} ${url.pathname}${url.search.replace(/X-Amz[^&]*&?/g, '')}`);
    if (state.fault(method, url) === 'hang up') {
      request.socket.destroy();
      return;
    }
    try {
      const body = await buffer(request);
      if (!isSigned(request, url, body)) fail(response, 403, 'SignatureDoesNotMatch');
      else answer(state, method, url, request, body, response);
    } catch {
      response.destroy();
    }
  }).listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  state.url = `s3://bucket/some/prefix?endpoint=http://127.0.0.1:${port}&region=test-1`;
  return state;
}

function answer(
  { objects, uploads }: S3Server,
  method: string,
  url: URL,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): undefined {
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  if (bucket !== 'bucket') return fail(response, 404, 'NoSuchBucket');
  const key = rest.join('/');
  const query = url.searchParams;
  const uploadId = query.get('uploadId') ?? '';
  const type = request.headers['content-type'] ?? '';
  const etag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`;
  const xml = (text: string) =>
    response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0"?>${text}`);

  if (method === 'GET' && query.has('uploads')) {
    const prefix = query.get('prefix') ?? '';
    const found = [...uploads].filter(([, upload]) => upload.key.startsWith(prefix));
    const list = found.map(([id, upload]) => `<Upload><Key>${upload.key}</Key><UploadId>${id}</UploadId></Upload>`);
    xml(`<ListMultipartUploadsResult>${list.join('')}</ListMultipartUploadsResult>`);
  } else if (method === 'GET' && query.has('list-type')) {
    // Two a page, so that a client has to follow the continuation token.
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((each) => each.startsWith(prefix) && each > after).sort();
    const list = keys.slice(0, 2).map((each) => {
      const size = objects.get(each)?.body.length;
      const at = objects.get(each)?.modifiedAt.toISOString();
      return `<Contents><Key>${each}</Key><Size>${size}</Size><LastModified>${at}</LastModified></Contents>`;
    });
    const next = keys.length > 2 ? `<NextContinuationToken>${keys[1]}</NextContinuationToken>` : '';
    xml(`<ListBucketResult>${list.join('')}${next}</ListBucketResult>`);
  } else if (method === 'POST' && query.has('uploads')) {
    const id = randomUUID();
    uploads.set(id, { key, parts: new Map() });
    xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  } else if (uploadId !== '') {
    const upload = uploads.get(uploadId);
    if (!upload) return fail(response, 404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      response.setHeader('etag', etag(body)).end();
    } else if (method === 'POST') {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
      const parts = named.map((number) => upload.parts.get(number));
      const isSmall = parts.slice(0, -1).some((part) => (part?.length ?? 0) < 5 * 1_048_576);
      if (parts.length === 0 || isSmall) return fail(response, 400, 'EntityTooSmall');
      objects.set(key, { body: Buffer.concat(parts as Buffer[]), type, modifiedAt: new Date() });
      uploads.delete(uploadId);
      xml('<CompleteMultipartUploadResult><ETag>"x-2"</ETag></CompleteMultipartUploadResult>');
    } else {
      uploads.delete(uploadId);
      response.writeHead(204).end();
    }
  } else if (method === 'PUT') {
    objects.set(key, { body, type, modifiedAt: new Date() });
    response.setHeader('etag', etag(body)).end();
  } else if (method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else {
    const object = objects.get(key);
    if (!object) return fail(response, 404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const content = start === undefined ? object.body : object.body.subarray(Number(start), Number(end) + 1);
    response.statusCode = start === undefined ? 200 : 206;
    response.setHeader('content-length', content.length);
    response.setHeader('content-type', query.get('response-content-type') ?? object.type);
    const disposition = query.get('response-content-disposition');
    if (disposition) response.setHeader('content-disposition', disposition);
    response.end(method === 'HEAD' ? undefined : content);
  }
}

function fail(response: ServerResponse, status: number, code: string): undefined {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const uriEscape = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** AWS Signature Version 4, as its documentation has it. */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const header = headers.authorization ?? '';
  const [, credential = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(header) ?? [];
  const query = url.searchParams;
  const fromQuery = header === '';
  const [id, day = '', region = '', service = ''] = (
    fromQuery ? (query.get('X-Amz-Credential') ?? '') : credential
  ).split('/');
  const names = (fromQuery ? (query.get('X-Amz-SignedHeaders') ?? '') : signed).split(';');
  const time = fromQuery ? (query.get('X-Amz-Date') ?? '') : String(headers['x-amz-date']);
  const payload = fromQuery ? 'UNSIGNED-PAYLOAD' : String(headers['x-amz-content-sha256']);
  if (id !== S3_CREDENTIALS.AWS_ACCESS_KEY_ID || !time.startsWith(day)) return false;
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const pairs = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([k, v]) => `${uriEscape(k)}=${uriEscape(v)}`);
  const canonical = [
    method,
    url.pathname,
    pairs.sort().join('&'),
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = ['aws4_request', service, region, day].reduceRight(
    (secret: string | Buffer, part) => hmac(secret, part),
    `AWS4${S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY}`,
  );
  return hmac(key, text).toString('hex') === (fromQuery ? query.get('X-Amz-Signature') : signature);
}
