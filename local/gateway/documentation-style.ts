/** The look of the documentation page, light and dark. */
export const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2463c7; }
@media (prefers-color-scheme: dark) { :root { --accent: #7fb0ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.2rem; border-right: 1px solid var(--line); font-size: 14px; }
nav h2 { font-size: 12px; text-transform: uppercase; letter-spacing: .06em; margin: 1.2rem 0 .3rem; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; } nav li { margin: .2rem 0; }
main { padding: 1.2rem 2rem 4rem; max-width: 68rem; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.6rem; } main > h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
section { padding: .6rem 0 1.2rem; border-bottom: 1px solid var(--line); }
h3 { margin: .8rem 0 .2rem; } h4 { margin: .4rem 0; font-size: 13px; opacity: .7; }
.method { font: 600 12px/1 ui-monospace, monospace; color: #fff; background: #2f7d4f; border-radius: 4px; padding: .25rem .45rem; vertical-align: 2px; }
.method.POST { background: #8a4fb8; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 13px; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .7rem; overflow: auto; margin: 0; max-height: 24rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: 14px; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.examples { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
.errors { font-size: 13px; opacity: .75; }
@media (max-width: 800px) { body { display: block; } nav { position: static; height: auto; border-right: 0; } main { padding: 1rem; } }
`;
