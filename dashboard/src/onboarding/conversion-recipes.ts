interface ConversionExample {
  baseUrl: string;
  token: string;
  sessionHash: string;
  currency: string;
}

/** How servers report a conversion, ready to run. */
export function conversionRecipes({ baseUrl, token, sessionHash, currency }: ConversionExample) {
  const url = `${baseUrl}/v1/analytics/report-conversion`;
  const json = JSON.stringify({ sessionHash, eventId: 'order-1001', value: '49.90', currency });
  return {
    curl: {
      label: 'curl',
      code: `curl ${url} \\
  -H 'x-api-key: Bearer ${token}' -H 'content-type: application/json' \\
  -d '${json}'`,
    },
    node: {
      label: 'Node',
      code: `const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'x-api-key': 'Bearer ${token}', 'content-type': 'application/json' },
  body: JSON.stringify({ sessionHash: '${sessionHash}', eventId: 'order-1001', value: '49.90', currency: '${currency}' }),
});
console.log(await response.json());`,
    },
    php: {
      label: 'PHP',
      code: `$request = curl_init('${url}');
curl_setopt_array($request, [
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_HTTPHEADER => ['x-api-key: Bearer ${token}', 'content-type: application/json'],
  CURLOPT_POSTFIELDS => json_encode([
    'sessionHash' => '${sessionHash}', 'eventId' => 'order-1001', 'value' => '49.90', 'currency' => '${currency}',
  ]),
]);
echo curl_exec($request);`,
    },
    python: {
      label: 'Python',
      code: `import json, urllib.request

request = urllib.request.Request(
    '${url}',
    data=json.dumps({'sessionHash': '${sessionHash}', 'eventId': 'order-1001', 'value': '49.90', 'currency': '${currency}'}).encode(),
    headers={'x-api-key': 'Bearer ${token}', 'content-type': 'application/json'},
)
print(urllib.request.urlopen(request).read())`,
    },
  };
}
