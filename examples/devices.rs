//! Lists the devices of a tailnet over `reqwest`: `cargo run --example devices --features reqwest`, with SERVICE_URL, API_KEY and TAILNET set; the
//! sandbox (`npx --no tailnet-kit sandbox`) needs no TLS. Must not live here: other calls.

// Programs for wasm have `fetch`, and no sockets.
#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::env::var;
    use std::error::Error;

    use tailnet_kit::api::{ApiKey, DevicesWanted, ListDevices, TailnetName};
    use tailnet_kit::client::http::Http;
    use tailnet_kit::client::{CallOptions, Client, Options};

    pub fn main() -> Result<(), Box<dyn Error>> {
        let mut options = Options::new(&var("SERVICE_URL")?)?;
        options.api_key = Some(ApiKey::new(&var("API_KEY")?)?);
        options.tailnet = Some(TailnetName::new(&var("TAILNET")?)?);
        let client = Client::new(Http::new()?, options);
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build()?.block_on(listed(&client))
    }

    /// Writes the name of each device to standard output.
    async fn listed(client: &Client<Http>) -> Result<(), Box<dyn Error>> {
        let options = CallOptions::default();
        let tailnet = client.tailnet(&options)?;
        let wanted = DevicesWanted::default();
        for device in client
            .call(&ListDevices { tailnet, wanted }, &options)
            .await?
        {
            println!("{}", device.name.unwrap_or_default());
        }
        Ok(())
    }
}

#[cfg(not(target_arch = "wasm32"))]
use native::main;

#[cfg(target_arch = "wasm32")]
fn main() {}
