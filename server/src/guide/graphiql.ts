/** The page of `/docs/graphiql`, whose script and style sheet are files of the guide. */
export const GRAPHIQL = `<!doctype html>
<html lang="en">
  <head>
    <title>GraphiQL - Headwater</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="../guide/graphiql.css" />
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="../guide/graphiql.js"></script>
  </body>
</html>
`;
