/** Runs in the browser: Swagger UI with the service's document and an access token. */
export const pageScript = `
const fromAddress = /^#token=(.+)$/.exec(location.hash);
const token = fromAddress ? decodeURIComponent(fromAddress[1]) : document.documentElement.dataset.token;
if (fromAddress) history.replaceState(null, '', location.pathname);

// Searches method, path and summary of operations. Swagger UI's own filter searches only the headings.
const textOf = (operation) =>
  [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary'])]
    .join(' ')
    .toLowerCase();
const search = () => ({
  fn: {
    opsFilter: (headings, phrase) =>
      headings
        .map((heading) =>
          heading.update('operations', (all) =>
            all.filter((each) => textOf(each).includes(phrase.trim().toLowerCase())),
          ),
        )
        .filter((heading) => heading.get('operations').size > 0),
  },
});

const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  plugins: [search],
  onComplete: () => {
    if (token) ui.preauthorizeApiKey('bearer', token);
    document.querySelector('.operation-filter-input')?.setAttribute('placeholder', 'Search');
  },
});
`;

/** Fits Swagger UI's tables and lines into narrow windows. */
export const pageStyle = `
body { margin: 0; }
.swagger-ui .opblock .opblock-summary-path { word-break: break-word; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .info { margin: 20px 0; }
  .swagger-ui .info .title { font-size: 26px; }
  .swagger-ui .scheme-container { padding: 10px 0; }
  .swagger-ui .opblock .opblock-summary-control { min-width: 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 60px; padding: 6px 0; font-size: 12px; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100vw - 150px); padding: 0 6px; font-size: 13px; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { min-width: 0; flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-description { text-align: left; padding: 4px 6px; flex-basis: 100%; }
  .swagger-ui .opblock-section-header { padding: 8px 10px; flex-wrap: wrap; }
  .swagger-ui .opblock-body pre.microlight { font-size: 11px; }
  .swagger-ui .table-container, .swagger-ui .responses-inner { padding: 10px; overflow-x: auto; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td { display: block; width: auto; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_name, .swagger-ui .parameters-col_description { padding: 4px 0 !important; }
  .swagger-ui table.responses-table td { padding: 6px 6px 0 0; }
  .swagger-ui .response-col_status { width: 46px; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui input[type=text], .swagger-ui textarea, .swagger-ui select { max-width: 100%; min-width: 0; }
  .swagger-ui .parameters-col_description input { width: 100%; max-width: 100%; box-sizing: border-box; }
}
`;
